import { isRecord } from "./is-record.ts";

/** What a model thinks, under the names that servers have for it: the first that is there. */
export function reasoningOf(delta: Readonly<Record<string, unknown>>): string {
  const { reasoning_content: content, reasoning } = delta;
  return textOf(content) || textOf(reasoning);
}

/** Text as a string or, with some servers, as parts; null and what is no text are none. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}
