import type { EntryLine } from "../../local/sessions/entry-text.ts";
import type { ShownTranscript } from "../../local/sessions/read-transcript.ts";
import type { Damage, EntrySummary, TranscriptSummary } from "../../local/sessions/session-summary.ts";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import {
  formatAge,
  formatBytes,
  formatClock,
  formatCount,
  formatDate,
  formatDuration,
  formatNumber,
} from "../../terminal/format-amount.ts";
import { renderTable } from "../../terminal/table.ts";
import { cutText, padText } from "../../terminal/text-width.ts";

const formatNames: Readonly<Record<string, string>> = {
  palimpsest: "palimpsest log",
  "claude-code": "Claude Code transcript",
  "anthropic-messages": "Anthropic messages",
  "openai-messages": "OpenAI messages",
};

const labelWidth = 14;

export function overviewLines(shown: ShownTranscript, { terminal, now }: CommandContext): readonly string[] {
  const { style, columns } = terminal;
  const { found, summary } = shown;
  const title = escapeTerminal(found.title ?? found.firstPrompt ?? "").trim();
  const format = formatNames[summary.format] ?? summary.format;
  const field = (label: string, text: string) => `  ${style.dim(padText(label, labelWidth))}${text}`;
  const lines = [
    style.bold(cutText(title === "" ? "(no words yet)" : title, columns)),
    style.dim(
      cutText(
        [escapeTerminal(shown.session ?? ""), format, formatBytes(shown.bytes)].filter(Boolean).join(" · "),
        columns,
      ),
    ),
    "",
    field("file", escapeTerminal(shown.file)),
  ];
  const state = escapeTerminal(found.state ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (state !== "") lines.push(field("state", cutText(state, columns - labelWidth - 2)));
  if (found.cwd !== undefined) lines.push(field("folder", escapeTerminal(found.cwd)));
  if (found.model !== undefined) lines.push(field("model", escapeTerminal(found.model)));
  if (found.parent !== undefined) {
    lines.push(field("forked from", `${escapeTerminal(found.parent.session)} at entry ${found.parent.seq}`));
  }
  for (const [label, text] of timeFields(found, now())) lines.push(field(label, text));
  if (summary.entries > 0) lines.push("");
  for (const [label, text] of countFields(summary)) lines.push(field(label, text));
  return [...lines, ...damageLines(shown, terminal)];
}

/** Imported lines without a time are given the beginning of the epoch. */
function timeFields(found: EntrySummary, nowMs: number): readonly (readonly [string, string])[] {
  const startMs = Date.parse(found.startedAt ?? "");
  const endMs = Date.parse(found.endedAt ?? "");
  if (!(startMs > 0) || !(endMs > 0) || found.startedAt === undefined || found.endedAt === undefined)
    return [];
  return [
    ["started", `${formatDate(found.startedAt)}, ${formatAge(nowMs - startMs)}`],
    ["last entry", `${formatDate(found.endedAt)}, after ${formatDuration(endMs - startMs)}`],
  ];
}

function countFields(summary: TranscriptSummary): readonly (readonly [string, string])[] {
  const { usage } = summary;
  if (summary.entries === 0) return [];
  const messages = [
    `${formatCount(summary.userMessages)} user, ${formatCount(summary.assistantMessages)} assistant`,
    ...(summary.attachments > 0 ? [formatNumber(summary.attachments, "attachment")] : []),
    ...(summary.sidechainLines > 0 ? [`${formatCount(summary.sidechainLines)} of sub-agents`] : []),
  ];
  const fields: (readonly [string, string])[] = [
    ["entries", formatCount(summary.entries)],
    ["messages", `${formatCount(summary.messages)}  (${messages.join(", ")})`],
    ["tool results", formatCount(summary.toolResults)],
    ["boundaries", formatNumber(summary.boundaries, "compaction")],
  ];
  const { compact: _boundaries, ...others } = summary.decisions;
  const decisions = listCounts(others);
  if (decisions !== "") fields.push(["decisions", decisions]);
  fields.push(
    ["responses", formatCount(summary.responses)],
    [
      "tokens",
      `${formatCount(usage.input)} in, ${formatCount(usage.output)} out, cache ${formatCount(usage.cacheRead)} read, ${formatCount(usage.cacheCreation)} written`,
    ],
  );
  const unknown = listCounts(summary.unknownTypes);
  if (unknown !== "") fields.push(["unknown", unknown]);
  if (summary.redactions > 0) fields.push(["redacted", formatNumber(summary.redactions, "time")]);
  return fields;
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one);
  return sorted.map(([type, count]) => `${formatCount(count)} ${escapeTerminal(type)}`).join(", ");
}

export function entryLines(list: readonly EntryLine[], { style, columns }: Terminal): readonly string[] {
  const rows = list.map(({ seq, at, kind, type, text }) => [
    { text: String(seq), paint: style.dim },
    { text: formatClock(at), paint: style.dim },
    {
      text: escapeTerminal(type),
      paint: kind === "decision" ? style.yellow : kind === "message" ? style.cyan : style.dim,
    },
    { text: escapeTerminal(text).trim() },
  ]);
  return renderTable({
    columns: [
      { header: "SEQ", align: "right" },
      { header: "TIME" },
      { header: "TYPE", max: 16 },
      { header: "TEXT", isFlexible: true },
    ],
    rows,
    width: columns,
    paintHeader: style.dim,
  });
}

const maxShown = 8;

/** The problems of a transcript, where, and what to do; nothing where all is well. */
function damageLines(shown: ShownTranscript, { style }: Terminal): readonly string[] {
  const { summary } = shown;
  const counts = damageCounts(summary);
  if (counts.length === 0 && summary.damages.length === 0 && summary.entries > 0) return [];
  const listed = summary.damages.slice(0, maxShown);
  const rest = summary.damages.length - listed.length;
  return [
    "",
    `  ${style.yellow(style.bold("damage"))}        ${style.yellow(counts.join(", ") || "no entry can be read")}`,
    ...listed.map(
      (damage) =>
        `    ${style.dim(padText(placeOf(damage), 20))}${damage.kind}: ${escapeTerminal(damage.reason)}`,
    ),
    ...(rest > 0 ? [`    and ${formatCount(rest)} more; --json lists them`] : []),
    `  ${style.bold("fix")}           ${fixFor(shown)}`,
  ];
}

function damageCounts(summary: TranscriptSummary): readonly string[] {
  const counts: string[] = [];
  if (summary.corrupt > 0) counts.push(formatNumber(summary.corrupt, "corrupt line"));
  if (summary.fenced > 0) counts.push(formatNumber(summary.fenced, "fenced line"));
  if (summary.torn > 0) counts.push(`an unfinished last line of ${formatNumber(summary.tornBytes, "byte")}`);
  if (summary.salvaged > 0)
    counts.push(`${formatNumber(summary.salvaged, "entry", "entries")} found inside damaged lines`);
  if (summary.fenced === 0 && summary.skipped > 0) counts.push(formatNumber(summary.skipped, "skipped line"));
  if (summary.duplicates > 0) counts.push(formatNumber(summary.duplicates, "duplicate"));
  return counts;
}

function placeOf({ line, offset }: Damage): string {
  if (offset !== undefined) return `byte ${formatCount(offset)}`;
  return line === undefined ? "" : `line ${formatCount(line)}`;
}

function fixFor({ isOwnPlace, session, summary }: ShownTranscript): string {
  const id = escapeTerminal(session ?? "");
  if (isOwnPlace && summary.entries === 0) {
    return `nothing in it can be saved; to remove it: palimpsest sessions delete ${id}`;
  }
  const isLive = summary.torn > 0 && summary.corrupt + summary.fenced + summary.salvaged === 0;
  const unless = isLive ? "nothing if it is being written right now; else " : "";
  if (isOwnPlace) return `${unless}palimpsest sessions repair ${id}`;
  return "nothing to do: all that can be read was read, and the file was not changed";
}
