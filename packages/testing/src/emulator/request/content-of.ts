import { isRecord } from "./is-record.ts";

/** A block of which nothing is known but that it is an object. */
export type WireBlock = Readonly<Record<string, unknown>>;

const nothing: WireBlock = {};

/**
 * The blocks of a message or of a tool result, by their places; a string is one text block, as the API reads it.
 * What is no object becomes an empty one, so that places stay and later checks need not ask again.
 */
export function contentOf(holder: unknown): readonly WireBlock[] {
  if (!isRecord(holder)) return [];
  const { content } = holder;
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((block) => (isRecord(block) ? block : nothing));
}
