import { resolve } from "node:path";
import { encodeEntry, maxLineBytes } from "@palimpsest/core/internal";
import {
  type ContentBlock,
  type Entry,
  fail,
  isBlock,
  type Message,
  ok,
  type RequestMessage,
  type Result,
} from "@palimpsest/core/spec";
import { orThrow } from "../../local/or-throw.ts";
import { findTranscript, type TranscriptTarget } from "../../local/sessions/find-transcript.ts";
import type { TranscriptReport } from "../../local/sessions/read-transcript.ts";
import { readWhole, type WholeReading } from "../../local/sessions/read-whole.ts";
import { openSessionLocations } from "../../local/sessions/session-locations.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatNumber } from "../../terminal/format-amount.ts";
import { createFileSink, createOutputSink, type ExportSink } from "./export-sink.ts";

export interface ExportOptions {
  readonly out?: string;
  readonly format: "jsonl" | "messages";
  readonly force?: boolean;
  readonly project?: string;
}

export async function runExport(
  context: CommandContext,
  named: string,
  options: ExportOptions,
): Promise<void> {
  const { terminal, folder } = context;
  const locations = await openSessionLocations(context);
  const target = orThrow(await findTranscript(locations, named, options.project));
  const path = options.out === undefined ? null : resolve(folder, options.out);
  const sink =
    path === null
      ? createOutputSink(terminal)
      : orThrow(await createFileSink(locations.disk, locations.ids, path, { force: options.force ?? false }));
  try {
    const write = options.format === "jsonl" ? exportLog : exportMessages;
    const report = orThrow(await write(target, terminal, sink));
    orThrow(await sink.commit());
    printReport(report, options.format, path, terminal);
  } finally {
    await sink.discard();
  }
}

function printReport(
  report: ExportReport,
  format: ExportOptions["format"],
  path: string | null,
  terminal: Terminal,
): void {
  const what =
    format === "jsonl"
      ? formatNumber(report.written, "entry", "entries")
      : formatNumber(report.written, "message");
  if (path !== null) terminal.say(`wrote ${what} to ${escapeTerminal(path)}`);
  for (const line of [...damageTold(report.reports), ...leftOutLines(report)]) terminal.say(line);
}

/** An export is of what is in force: damage is not part of it, and is not kept quiet. */
function damageTold(reports: readonly TranscriptReport[]): readonly string[] {
  const sum = (count: (report: TranscriptReport) => number) =>
    reports.reduce((total, one) => total + count(one), 0);
  const corrupt = sum((one) =>
    "log" in one ? one.log.corruptLines : one.imported.corrupt + one.imported.skipped,
  );
  const fenced = sum((one) => ("log" in one ? one.log.fencedLines : 0));
  const torn = sum((one) => ("log" in one ? Number(one.log.tornBytes > 0) : one.imported.torn));
  const lines = corrupt + fenced + torn;
  return lines === 0 ? [] : [`not part of it: ${formatNumber(lines, "damaged line")}`];
}

function leftOutLines({ leftOut, missing }: ExportReport): readonly string[] {
  const parts = Object.entries(leftOut).map(([what, count]) => `${count} ${what}`);
  const lost = missing.map((what) => `could not be read, and stays a reference: ${escapeTerminal(what)}`);
  return [...(parts.length > 0 ? [`not part of the conversation: ${parts.join(", ")}`] : []), ...lost];
}

interface ExportReport extends WholeReading {
  /** Entries or messages. */
  readonly written: number;
  /** Entries that are no part of the conversation, where one was asked for. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A complete log of our own format that needs no other file. */
async function exportLog(
  target: TranscriptTarget,
  terminal: Terminal,
  sink: ExportSink,
): Promise<Result<ExportReport>> {
  let written = 0;
  const read = await readWhole(target, terminal, async (entry) => {
    const line = encodeEntry(entry);
    if (line.length > maxLineBytes) return tooLong(entry);
    written += 1;
    return sink.write(line);
  });
  return read.ok ? ok({ ...read.value, written, leftOut: {} }) : read;
}

/** Exports the conversation as an array of messages. */
async function exportMessages(
  target: TranscriptTarget,
  terminal: Terminal,
  sink: ExportSink,
): Promise<Result<ExportReport>> {
  const entries: Entry[] = [];
  const read = await readWhole(target, terminal, async (entry) => {
    if (entry.kind === "message" || entry.kind === "decision") entries.push(entry);
    return ok();
  });
  if (!read.ok) return read;
  const { messages, leftOut } = toMessages(entries);
  for (const [index, message] of messages.entries()) {
    const wrote = await sink.write(Buffer.from(`${index === 0 ? "[" : ","}\n${JSON.stringify(message)}`));
    if (!wrote.ok) return wrote;
  }
  const ended = await sink.write(Buffer.from(messages.length === 0 ? "[]\n" : "\n]\n"));
  return ended.ok ? ok({ ...read.value, written: messages.length, leftOut }) : ended;
}

function tooLong(entry: Entry): Result<never> {
  return fail("too-large", `Entry ${entry.id} is longer than a line of a log may be.`, {
    path: entry.id,
    fix: "Export the messages instead: --format messages.",
    facts: { maxLineBytes },
  });
}

interface Conversation {
  readonly messages: readonly RequestMessage[];
  /** Entries that are not part of it, and how many. */
  readonly leftOut: Readonly<Record<string, number>>;
}

interface ExportedMessage {
  readonly role: "user" | "assistant";
  readonly responseId: string | undefined;
  readonly content: ContentBlock[];
}

/**
 * The conversation as the messages of an API: whole, before any clearing or compaction, and without what a rewind took
 * back. Entries of one response are one message; neighbouring user messages are one, tool results first.
 */
export function toMessages(entries: Iterable<Entry>): Conversation {
  const leftOut: Record<string, number> = {};
  const said: ExportedMessage[] = [];
  for (const message of liveMessages(entries)) {
    const reason = leaveOutReason(message);
    if (reason === null) add(said, message);
    else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  }
  return { messages: said.map(({ role, content }) => ({ role, content: resultsFirst(content) })), leftOut };
}

/** Messages that no rewind has taken back; restoring the rewind brings them again. */
function liveMessages(entries: Iterable<Entry>): readonly Message[] {
  let live: Entry[] = [];
  const rewound = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.kind === "decision" && entry.decision.type === "rewind") {
      const { to } = entry.decision;
      const last = live.findLastIndex(({ id }) => id === to);
      rewound.set(entry.id, live);
      live = last === -1 ? [...live] : live.slice(0, last + 1);
    } else if (entry.kind === "decision" && entry.decision.type === "restore") {
      live = rewound.get(entry.decision.decision) ?? live;
    } else live.push(entry);
  }
  return live.flatMap((entry) => (entry.kind === "message" ? entry.message : []));
}

function leaveOutReason(message: Message): string | null {
  if (message.type === "attachment") return "attachments";
  if (message.type !== "user" && message.type !== "assistant") return "notices";
  if (message.isSidechain) return "messages of sub-agents";
  if (message.isAborted) return "aborted responses";
  if (message.isCompactSummary) return "summaries";
  return message.isApiErrorMessage && message.model === "<synthetic>" ? "local errors" : null;
}

function add(said: ExportedMessage[], { type, content, responseId }: Message): void {
  const blocks = toBlocks(content);
  if (blocks.length === 0) return;
  const role = type === "assistant" ? "assistant" : "user";
  const same = role === "assistant" ? sameResponse(said, responseId) : said.at(-1);
  if (same?.role === role) same.content.push(...blocks);
  else said.push({ role, responseId, content: [...blocks] });
}

/** The response's earlier part, also behind the results that came while it was still being written down. */
function sameResponse(
  said: readonly ExportedMessage[],
  responseId: string | undefined,
): ExportedMessage | undefined {
  const last = said.at(-1);
  const before = last !== undefined && isOnlyResults(last) ? said.at(-2) : last;
  return responseId !== undefined && before?.responseId === responseId ? before : undefined;
}

function isOnlyResults({ role, content }: ExportedMessage): boolean {
  return role === "user" && content.every((block) => isBlock(block, "tool_result"));
}

function toBlocks(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isResult = (block: ContentBlock) => isBlock(block, "tool_result");
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}
