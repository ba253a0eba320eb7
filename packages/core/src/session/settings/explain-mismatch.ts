import type { NumberSchema, Schema } from "./schema.ts";

/** A schema's values, in words. */
export function describeSchema(schema: Schema): string {
  switch (schema.kind) {
    case "switch":
      return "true or false";
    case "number":
      return describeNumber(schema);
    case "word":
      return `one of ${schema.words.map((word) => JSON.stringify(word)).join(", ")}`;
    case "text":
      return schema.mayBeBlank ? "a text" : "a text, not empty";
    case "fields":
    case "table":
      return "an object";
    case "list":
      return "a list";
    case "nullable":
      return `${describeSchema(schema.schema)}, or null`;
  }
}

function describeNumber({ whole, least, over, most }: NumberSchema): string {
  const limits = [
    ...(least === undefined ? [] : [`≥ ${least}`]),
    ...(over === undefined ? [] : [`> ${over}`]),
    ...(most === undefined ? [] : [`≤ ${most}`]),
  ];
  return [whole ? "a whole number" : "a number", limits.join(" and ")]
    .filter((part) => part !== "")
    .join(" ");
}

/** A fix for a value that the schema does not take. */
export function suggestFix(schema: Schema, value: unknown): string {
  if (value === null && schema.kind !== "nullable") return "remove it to use the default";
  switch (schema.kind) {
    case "switch":
      return fixSwitch(value);
    case "number":
      return fixNumber(schema, value);
    case "word":
      return fixWord(schema.words, value);
    case "text":
      return value === undefined || typeof value === "string"
        ? "write something or remove it"
        : "write a text in double quotes";
    case "fields":
    case "table":
      return "write { } with names and values in it";
    case "list":
      return "put it in [ ]";
    case "nullable":
      return suggestFix(schema.schema, value);
  }
}

function fixSwitch(value: unknown): string {
  const word = String(value).trim().toLowerCase();
  const unquoted = typeof value === "string" && (word === "true" || word === "false");
  if (unquoted) return `write ${word} without quotes`;
  if (["1", "yes", "on"].includes(word)) return "write true";
  return ["0", "no", "off"].includes(word) ? "write false" : "write true or false";
}

function fixNumber(schema: NumberSchema, value: unknown): string {
  const { whole, least, over, most } = schema;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "string" || !Number.isFinite(number)) return "write a number";
  const given = number as number;
  if (isNumber(schema, given)) return `write ${given} without quotes`;
  if (least !== undefined && given < least) return `write ${least} or more`;
  if (over !== undefined && given <= over) return `write a number over ${over}`;
  if (most !== undefined && given > most) return `write ${most} or less`;
  return whole && !Number.isInteger(given) ? `write ${Math.round(given)}` : "write a smaller number";
}

function fixWord(words: readonly string[], value: unknown): string {
  const meant = typeof value === "string" ? nearestName(value, words) : undefined;
  return meant === undefined ? "write one of them, in double quotes" : `write ${JSON.stringify(meant)}`;
}

export function isNumber({ whole, least, over, most }: NumberSchema, value: unknown): value is number {
  if (typeof value !== "number" || !(whole ? Number.isSafeInteger(value) : Number.isFinite(value)))
    return false;
  return (
    (least === undefined || value >= least) &&
    (over === undefined || value > over) &&
    (most === undefined || value <= most)
  );
}

const longestShown = 60;

/** A value as JSON, cut where it is long. */
export function showValue(value: unknown): string {
  const shown = typeof value === "function" ? "a function" : (JSON.stringify(value) ?? String(value));
  const points = [...shown.slice(0, 2 * longestShown + 2)];
  return points.length <= longestShown ? shown : `${points.slice(0, longestShown).join("")}…`;
}

/** The known name that was most likely meant; undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = withoutSeparators(name);
  const farthest = Math.max(1, Math.floor(wanted.length / 3));
  let nearest: { readonly name: string; readonly steps: number } | undefined;
  for (const candidate of known) {
    const steps = editSteps(wanted, withoutSeparators(candidate), farthest);
    if (steps <= farthest && steps < (nearest?.steps ?? Number.POSITIVE_INFINITY)) {
      nearest = { name: candidate, steps };
    }
  }
  return nearest?.name;
}

/** `autoCompact`, `auto_compact` and `auto-compact` are one word here. */
function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** Letters to add, drop, change or swap with their neighbour; only looked at where the lengths are near. */
function editSteps(from: string, to: string, farthest: number): number {
  if (Math.abs(from.length - to.length) > farthest) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
