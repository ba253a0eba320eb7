import { inlineLargeValues } from "../../log/large-values.ts";
import { type BlobStore, type ContentBlock, type Entry, isBlock } from "../../spec/index.ts";

/** Whether an entry is something the user or the assistant said, and not something the engine put in their mouth. */
export function isSaid(entry: Entry): boolean {
  if (entry.kind !== "message") return false;
  const { type, isMeta, isCompactSummary, isApiErrorMessage, isSidechain, isAborted } = entry.message;
  const isPerson = type === "user" || type === "assistant";
  return isPerson && !(isMeta || isCompactSummary || isApiErrorMessage || isSidechain || isAborted);
}

/** What is searched of an entry: a message's text without tool calls and results, or notes. "" for all else. */
export async function entryText(entry: Entry, session: string, blobs: BlobStore): Promise<string> {
  if (entry.kind === "note") return entry.note.topic === "notes" ? entry.note.text : "";
  if (!isSaid(entry)) return "";
  const whole = entry.blobs ? await inlineLargeValues(entry, session, blobs, () => "") : undefined;
  const read = whole?.ok ? whole.value : entry;
  if (read.kind !== "message") return "";
  const content: unknown = read.message.content;
  if (typeof content === "string") return content;
  return (Array.isArray(content) ? (content as readonly ContentBlock[]) : [])
    .flatMap((block) => (isBlock(block, "text") && typeof block.text === "string" ? block.text : []))
    .join("\n");
}
