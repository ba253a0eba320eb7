import type { ContentBlock } from "../spec/index.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** An object that is no list. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object, or a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

/** An object that is no list and no instance of a class. */
export function isPlainObject(value: unknown): value is JsonObject {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A whole number from 0 on. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A string that is not empty. */
export function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** `undefined` for anything but a non-empty string. */
export function filledText(value: unknown): string | undefined {
  return isFilledText(value) ? value : undefined;
}

/** A field's text; `undefined` for anything but a non-empty string. */
export function textField(value: JsonObject, field: string): string | undefined {
  return filledText(value[field]);
}

/** A field's number; 0 for anything but a finite number over 0. */
export function numberField(value: JsonObject, field: string): number {
  const count = value[field];
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}

/** The strings of a field that should be a list of them. */
export function textsField(value: JsonObject, field: string): readonly string[] {
  const list = value[field];
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** `undefined` for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deeper than this nothing recorded in earnest goes, and `JSON.stringify` fails a little further on. */
export const maxNesting = 500;

export function isNestedTooDeeply(value: unknown, room = maxNesting): boolean {
  if (!isObject(value)) return false;
  if (room === 0) return true;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (isNestedTooDeeply(child, room - 1)) return true;
  }
  return false;
}

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
