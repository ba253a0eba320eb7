export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's text; `undefined` for anything but a non-empty string. */
export function textOf(value: JsonObject, field: string): string | undefined {
  const text = value[field];
  return typeof text === "string" && text !== "" ? text : undefined;
}

/** A field's count; 0 for anything but a finite number over 0. */
export function countOf(value: JsonObject, field: string): number {
  const count = value[field];
  return typeof count === "number" && Number.isFinite(count) && count > 0 ? count : 0;
}

/** The strings of a field that should be a list of them. */
export function textsOf(value: JsonObject, field: string): readonly string[] {
  const list = value[field];
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** Deeper than this nothing recorded in earnest goes, and `JSON.stringify` fails a little further on. */
export const maxNesting = 500;

export function isNestedTooDeeply(value: unknown, room = maxNesting): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (room === 0) return true;
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    if (isNestedTooDeeply(child, room - 1)) return true;
  }
  return false;
}
