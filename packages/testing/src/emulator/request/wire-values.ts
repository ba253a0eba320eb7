/** An object of JSON: neither null nor a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The entry of a table under a name that came with a request: never one that every object has. */
export function lookUp<Value>(table: Readonly<Record<string, Value>>, name: unknown): Value | undefined {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A value of JSON as it is named in a sentence; unlike `String`, never throws. */
export function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}

/** A block of which nothing is known but that it is an object. */
export type WireBlock = Readonly<Record<string, unknown>>;

const nothing: WireBlock = {};

/**
 * The blocks of a message or of a tool result, by their places; a string is one text block, as the API reads it.
 * A value that is no object becomes an empty one, so that positions stay and later checks need not ask again.
 */
export function contentOf(holder: unknown): readonly WireBlock[] {
  if (!isRecord(holder)) return [];
  const { content } = holder;
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.map((block) => (isRecord(block) ? block : nothing));
}

/** The name of a result in cache edits: its `cache_reference`, or the id of its call when it has none. */
export function referenceOf({ cache_reference: reference, tool_use_id: id }: WireBlock): string {
  return toText(reference ?? id);
}
