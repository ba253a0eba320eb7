import { encodeEntry, maxLineBytes } from "@palimpsest/core/internal";
import { type Entry, fail, ok, type Result } from "@palimpsest/core/spec";
import type { Terminal } from "../terminal.ts";
import type { ExportSink } from "./export-sink.ts";
import type { TranscriptTarget } from "./find-transcript.ts";
import { readWhole, type WholeReading } from "./read-whole.ts";
import { toMessages } from "./to-messages.ts";

export interface ExportReport extends WholeReading {
  /** Entries or messages. */
  readonly written: number;
  /** What is no part of the conversation, where one was asked for. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A complete log of our own format that needs no other file. */
export async function exportLog(
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

/** What was said, as an array of messages. */
export async function exportMessages(
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
