import type { ContentBlock } from "../../spec/index.ts";

/** Without them a block is none of its type. */
const required: ReadonlySet<string> = new Set([
  "type",
  "id",
  "name",
  "input",
  "text",
  "thinking",
  "signature",
  "data",
  "tool_use_id",
  "content",
  "source",
]);

/**
 * A block without the field that a path of the API names, such as `tool_use.caller` or `content.0.foo`: tags of the
 * API's own that no value has a field for are passed over. Of the block itself only a field goes that it can be without;
 * inside its fields, what stands deepest. `null` where the path names no such field.
 */
export function withoutField(block: ContentBlock, path: readonly string[]): ContentBlock | null {
  const keys = keysIn(block, path[0] === block.type ? path.slice(1) : path);
  const [first] = keys;
  if (first === undefined) return null;
  if (!required.has(first)) return cut(block, [first]) as ContentBlock;
  return keys.length > 1 && first !== "input" ? (cut(block, keys) as ContentBlock) : null;
}

/** What stands, as JSON, where a path of the API leads to in a block; absent where it names no field but its type. */
export function namedValue(block: ContentBlock, path: readonly string[]): string | undefined {
  const keys = keysIn(block, path[0] === block.type ? path.slice(1) : path);
  if (keys.length === 0 || keys[0] === "type") return undefined;
  return JSON.stringify(
    keys.reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>>)[key], block),
  );
}

/** The keys along a path that are there. */
function keysIn(value: unknown, path: readonly string[]): readonly string[] {
  const keys: string[] = [];
  let now = value;
  for (const name of path) {
    if (typeof now !== "object" || now === null || !Object.hasOwn(now, name)) continue;
    keys.push(name);
    now = (now as Readonly<Record<string, unknown>>)[name];
  }
  return keys;
}

function cut(value: unknown, [key, ...rest]: readonly string[]): unknown {
  const left = (name: string, one: unknown) =>
    name !== key ? [one] : rest.length === 0 ? [] : [cut(one, rest)];
  if (Array.isArray(value)) return value.flatMap((one, at) => left(String(at), one));
  return Object.fromEntries(
    Object.entries(value as object).flatMap(([name, one]) => left(name, one).map((kept) => [name, kept])),
  );
}
