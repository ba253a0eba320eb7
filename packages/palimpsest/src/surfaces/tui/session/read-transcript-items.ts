import { createProjection, firstChars, isFreezeOnly, type Projection } from "@palimpsest/core/internal";
import {
  type ContentBlock,
  type Entry,
  isBlock,
  type Message,
  type MessageEntry,
} from "@palimpsest/core/spec";
import { toEntryLine } from "../../local/sessions/entry-text.ts";
import { escapeTerminal } from "../../terminal/escape-terminal.ts";
import { formatBytes } from "../../terminal/format-amount.ts";
import { cutText } from "../../terminal/text-width.ts";
import { toolLine } from "../../terminal/tool-line.ts";
import type { TranscriptItem } from "../state/pager.ts";

const titleColumns = 200;

/** Everything that was said and done, with what the model no longer sees of it. */
export async function readTranscriptItems(
  entries: AsyncIterable<Entry>,
  cwd: string,
): Promise<readonly TranscriptItem[]> {
  const all: Entry[] = [];
  const projection = createProjection();
  for await (const entry of entries) {
    all.push(entry);
    const from = projection.add(entry);
    if (from !== null) projection.rebuild(all.filter(({ seq }) => seq > from));
  }
  const hiding = createHiding(all, projection);
  return all.flatMap((entry) => {
    if (entry.kind === "message") return messageItems(entry, hiding, cwd);
    return entry.kind === "decision" ? decisionItem(entry) : [];
  });
}

type Hiding = (entry: MessageEntry, index: number) => string | undefined;

function messageItems(entry: MessageEntry, hiding: Hiding, cwd: string): readonly TranscriptItem[] {
  return blocksOf(entry.message).map((block, index) => {
    const hiddenBy = hiding(entry, index);
    const text = blockText(block);
    const kind = kindOf(entry, block);
    const id = isBlock(block, "tool_result") ? block.tool_use_id : `${entry.id}:${index}`;
    return { id, kind, title: titleOf(block, text, cwd), text, ...(hiddenBy !== undefined && { hiddenBy }) };
  });
}

function kindOf({ message }: MessageEntry, block: ContentBlock): TranscriptItem["kind"] {
  if (isBlock(block, "tool_use")) return "call";
  if (isBlock(block, "tool_result")) return "result";
  if (isBlock(block, "thinking") || isBlock(block, "redacted_thinking")) return "thinking";
  if (message.type === "assistant") return "answer";
  return message.type === "user" && !message.isMeta ? "prompt" : "notice";
}

function titleOf(block: ContentBlock, text: string, cwd: string): string {
  if (isBlock(block, "tool_use")) return toolLine(block.name, block.input, cwd, titleColumns).slice(2);
  return cutText(escapeTerminal(firstChars(text, 4 * titleColumns)), titleColumns);
}

function decisionItem(entry: Extract<Entry, { readonly kind: "decision" }>): readonly TranscriptItem[] {
  const { decision, id } = entry;
  if (isFreezeOnly(decision)) return [];
  const { type, text } = toEntryLine(entry);
  const summary =
    decision.type === "compact"
      ? `\n\n${decision.summary ? blocksOf(decision.summary).map(blockText).join("\n") : ""}`
      : decision.type === "fold"
        ? `\n\n${decision.summary}`
        : "";
  return [{ id: `${id}:decision`, kind: "decision", title: `${type}: ${text}`, text: `${text}${summary}` }];
}

const words: Readonly<Record<string, string>> = {
  clear: "cleared",
  offload: "on disk",
  snip: "snipped",
  fold: "folded",
  compact: "compacted",
  repair: "repaired",
  "cache-edit": "cleared in the cache",
};

/** Decisions that hide a block from the model; `undefined` where it sees it as it was. */
function createHiding(all: readonly Entry[], projection: Projection): Hiding {
  const seqOf = new Map(all.map(({ id, seq }) => [id, seq]));
  const types = new Map<string, string>();
  for (const entry of all) if (entry.kind === "decision") types.set(entry.id, entry.decision.type);
  const seen = new Map<string, string | undefined>();
  for (const { entry, index, decision } of projection.projected.items)
    seen.set(`${entry}:${index}`, decision);
  const live = all.filter(
    (entry) => entry.kind === "decision" && projection.isLive(entry.seq) && !projection.isDead(entry.id),
  );
  const covers = (entry: Entry, { id, seq }: MessageEntry): boolean => {
    if (entry.kind !== "decision") return false;
    const { decision } = entry;
    if (decision.type === "snip") return decision.entries.includes(id);
    if (decision.type === "compact") return decision.basis >= seq;
    if (decision.type !== "fold") return false;
    return seq >= (seqOf.get(decision.from) ?? 0) && seq <= (seqOf.get(decision.to) ?? -1);
  };
  return (entry, index) => {
    const key = `${entry.id}:${index}`;
    if (seen.has(key)) {
      const decision = seen.get(key);
      return decision === undefined ? undefined : words[types.get(decision) ?? ""];
    }
    if (!projection.isLive(entry.seq)) return "rewound";
    const covering = live.find((each) => covers(each, entry));
    if (covering) return words[types.get(covering.id) ?? ""];
    return entry.message.isAborted ? "cut off" : "not sent";
  };
}

/** A value of the log as text; of one that is kept as a blob, its size. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => blockText(each as ContentBlock)).join("\n");
  if (isStored(value)) return `(${formatBytes(value.bytes)})`;
  return value === undefined ? "" : (JSON.stringify(value, null, 2) ?? "");
}

function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return valueText(block.text);
  if (isBlock(block, "thinking")) return valueText(block.thinking);
  if (isBlock(block, "tool_use")) return valueText(block.input);
  if (isBlock(block, "tool_result")) return valueText(block.content);
  return `[${block.type}]`;
}

export function blocksOf({ content }: Message): readonly ContentBlock[] {
  const value: unknown = content;
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value)
    ? (value as readonly ContentBlock[])
    : [{ type: "text", text: valueText(value) }];
}

function isStored(value: unknown): value is { readonly bytes: number } {
  return typeof value === "object" && value !== null && "blob" in value && "bytes" in value;
}
