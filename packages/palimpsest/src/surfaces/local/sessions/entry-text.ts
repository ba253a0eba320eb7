import {
  type ContentBlock,
  type Decision,
  type Entry,
  isBlock,
  type Message,
  type Note,
} from "@palimpsest/core/spec";
import { formatBytes, formatCount } from "../../terminal/format-amount.ts";

/** One entry in a line. */
export interface EntryLine {
  readonly seq: number;
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  /** The message's, decision's or note's own type. */
  readonly type: string;
  readonly text: string;
}

/** More of a text than any line shows. */
const maxTextChars = 400;

export function toEntryLine(entry: Entry): EntryLine {
  const { seq, id, at, kind } = entry;
  const [type, text] = describe(entry);
  return { seq, id, at, kind, type, text: copyOf(text.slice(0, maxTextChars)) };
}

/** A part of a string keeps the whole in memory; a copy does not. */
function copyOf(part: string): string {
  return Buffer.from(part, "utf16le").toString("utf16le");
}

/** The person's prompt; nothing where a message is not the person's word. */
export function promptText(message: Message): string | undefined {
  const { type, content, isMeta, isCompactSummary, isSidechain } = message;
  if (type !== "user" || isMeta || isCompactSummary || isSidechain) return undefined;
  if (typeof content === "string") return content.slice(0, maxTextChars);
  const blocks = Array.isArray(content) ? (content as readonly ContentBlock[]) : [];
  for (const block of blocks) {
    if (isBlock(block, "text") && typeof block.text === "string") return block.text.slice(0, maxTextChars);
  }
  return undefined;
}

function describe(entry: Entry): readonly [type: string, text: string] {
  switch (entry.kind) {
    case "session":
      return [
        "session",
        [entry.session.id, entry.session.cwd, entry.session.model].filter(Boolean).join("  "),
      ];
    case "message":
      return [entry.message.subtype ?? entry.message.type, messageText(entry.message)];
    case "decision":
      return [entry.decision.type, decisionText(entry.decision)];
    case "note":
      return [entry.note.topic, noteText(entry.note)];
    default:
      return ["unknown", ""];
  }
}

function messageText({ content }: Message): string {
  const value: unknown = content;
  if (!Array.isArray(value)) return valueText(value);
  return value.map((block) => blockText(block as ContentBlock)).join("  ");
}

function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return valueText(block.text);
  if (isBlock(block, "thinking")) return `(thinking) ${valueText(block.thinking)}`;
  if (isBlock(block, "tool_use")) return `→ ${block.name} ${valueText(block.input)}`;
  if (isBlock(block, "tool_result")) {
    const size = sizeOf(block.content);
    return `← ${block.is_error === true ? "error, " : ""}${formatBytes(size)}  ${valueText(block.content)}`;
  }
  return `(${block.type})`;
}

/** The beginning of a value; of one kept as a blob, its size. */
function valueText(value: unknown): string {
  if (typeof value === "string") return value.slice(0, maxTextChars);
  if (Array.isArray(value)) return value.map((item) => blockText(item as ContentBlock)).join("  ");
  if (isBlobRef(value)) return `(${formatBytes(value.bytes)} in a blob)`;
  return value === undefined ? "" : JSON.stringify(value).slice(0, maxTextChars);
}

function sizeOf(value: unknown): number {
  if (isBlobRef(value)) return value.bytes;
  return Buffer.byteLength(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function isBlobRef(value: unknown): value is { readonly bytes: number } {
  return (
    typeof value === "object" &&
    value !== null &&
    "blob" in value &&
    typeof (value as { bytes?: unknown }).bytes === "number"
  );
}

function decisionText(decision: Decision): string {
  const by = `by ${decision.layer}: ${decision.reason}`;
  if (decision.type === "compact") {
    const { trigger, strategy, tokensBefore, tokensAfter } = decision;
    return `${trigger}, ${strategy}, ${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens, ${by}`;
  }
  return `frees ${formatCount(decision.frees)} tokens, ${by}`;
}

function noteText(note: Note): string {
  const { topic: _topic, ...rest } = note;
  if (note.topic === "title") return note.title;
  return note.topic === "foreign" ? note.type : JSON.stringify(rest);
}
