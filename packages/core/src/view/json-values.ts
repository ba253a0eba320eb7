import type { ContentBlock } from "../spec/index.ts";

/** Freezes a JSON value through and through; what is frozen already is left alone. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const name of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[name];
      if (typeof inner === "object") deepFreeze(inner);
    }
  }
  return value;
}

/** Thinking is opaque and unknown blocks are not ours to change; of all others every string is made well-formed. */
const mended = new Set(["text", "tool_use", "tool_result", "image", "document"]);

/** A block without lone surrogates, which no API takes; the very same one where there are none. */
export function wellFormedBlock(block: ContentBlock): ContentBlock {
  return mended.has(block.type) ? (wellFormedValue(block) as ContentBlock) : block;
}

export function isWellFormedBlock(block: ContentBlock): boolean {
  return !mended.has(block.type) || isWellFormedValue(block);
}

/** A JSON value in which every string, names of fields included, is well-formed; the very same where all are. */
export function wellFormedValue(value: unknown): unknown {
  if (isWellFormedValue(value)) return value;
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormedValue);
  const fields = Object.entries(value as Record<string, unknown>);
  return Object.fromEntries(fields.map(([name, of]) => [name.toWellFormed(), wellFormedValue(of)]));
}

export function isWellFormedValue(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isWellFormedValue);
  for (const name of Object.keys(value)) {
    const inner = (value as Record<string, unknown>)[name];
    const isSound = typeof inner === "string" ? inner.isWellFormed() : isWellFormedValue(inner);
    if (!isSound || !name.isWellFormed()) return false;
  }
  return true;
}
