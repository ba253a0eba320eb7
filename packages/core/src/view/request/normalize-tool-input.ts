import { isRecord, parseJson } from "../../json/json-values.ts";

/** The part of a JSON Schema that says what may be done about an input. */
interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * The input of a call in the types its tool asks for. Models sometimes write a number, a flag, a list or the whole
 * input as a string: where the schema wants exactly that other type and the string spells out a value of it, the value
 * takes the string's place. Nothing is invented, nothing left out; what does not fit stays as it is. The very same
 * input where nothing changes.
 */
export function normalizeToolInput(input: unknown, schema: unknown): unknown {
  const whole = typeof input === "string" ? (parsedAs("object", input) ?? input) : input;
  const { properties } = (schema ?? {}) as Schema;
  if (!isRecord(whole) || !isRecord(properties)) return whole;
  const changes = Object.entries(whole).flatMap(([name, value]) => {
    const { type } = (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
    if (typeof value !== "string" || typeof type !== "string") return [];
    const parsed = parsedAs(type, value);
    return parsed === undefined ? [] : [[name, parsed] as const];
  });
  return changes.length === 0 ? whole : { ...whole, ...Object.fromEntries(changes) };
}

/** The value a string spells out, if it is one of that type; never for `string`. */
function parsedAs(type: string, text: string): unknown {
  if (!isWanted[type]) return undefined;
  const value = parseJson(text);
  const isExact = typeof value !== "number" || String(value) === text.trim();
  return isExact && isWanted[type](value) ? value : undefined;
}

const isWanted: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isSafeInteger(value),
};
