import type { GenericSchema } from "valibot";
import { nearestName } from "./nearest-name.ts";
import { formOf, type NumberForm, type SchemaForm } from "./schema-form.ts";

/** A schema's values, in words. */
export function describeSchema(schema: GenericSchema): string {
  const form = formOf(schema);
  switch (form.kind) {
    case "switch":
      return "true or false";
    case "number":
      return describeNumber(form);
    case "word":
      return `one of ${form.words.map((word) => JSON.stringify(word)).join(", ")}`;
    case "text":
      return form.mayBeBlank ? "a text" : "a text, not empty";
    case "fields":
    case "table":
      return "an object";
    case "list":
      return "a list";
    case "nullable":
      return `${describeSchema(form.schema)}, or null`;
  }
}

function describeNumber({ whole, least, over, most }: NumberForm): string {
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
export function suggestFix(schema: GenericSchema, value: unknown): string {
  const form = formOf(schema);
  if (value === null && form.kind !== "nullable") return "remove it to use the default";
  switch (form.kind) {
    case "switch":
      return fixSwitch(value);
    case "number":
      return fixNumber(form, value);
    case "word":
      return fixWord(form.words, value);
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
      return suggestFix(form.schema, value);
  }
}

function fixSwitch(value: unknown): string {
  const word = String(value).trim().toLowerCase();
  const unquoted = typeof value === "string" && (word === "true" || word === "false");
  if (unquoted) return `write ${word} without quotes`;
  if (["1", "yes", "on"].includes(word)) return "write true";
  return ["0", "no", "off"].includes(word) ? "write false" : "write true or false";
}

function fixNumber(form: NumberForm, value: unknown): string {
  const { whole, least, over, most } = form;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (number === Number.POSITIVE_INFINITY)
    return most === undefined ? "write a smaller number" : `write ${most} or less`;
  if (typeof number !== "number" || !Number.isFinite(number)) return "write a number";
  const given = number;
  if (isNumber(form, given)) return `write ${given} without quotes`;
  if (least !== undefined && given < least) return `write ${least} or more`;
  if (over !== undefined && given <= over) return `write a number over ${over}`;
  if (most !== undefined && given > most) return `write ${most} or less`;
  return whole && !Number.isInteger(given) ? `write ${Math.round(given)}` : "write a smaller number";
}

function fixWord(words: readonly string[], value: unknown): string {
  const meant = typeof value === "string" ? nearestName(value, words) : undefined;
  return meant === undefined ? "write one of them, in double quotes" : `write ${JSON.stringify(meant)}`;
}

function isNumber({ whole, least, over, most }: NumberForm, value: unknown): value is number {
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
  const shown = showWhole(value);
  const points = [...shown.slice(0, 2 * longestShown + 2)];
  return points.length <= longestShown ? shown : `${points.slice(0, longestShown).join("")}…`;
}

/** JSON has no word for some values, which a program can give all the same. */
function showWhole(value: unknown): string {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number") return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "an object that is no JSON: it contains itself, or a BigInt";
  }
}

/** What a value that is not to be shown is; “another”, where it is of the kind that was expected. */
export function showKind(value: unknown, expected: GenericSchema): string {
  if (value === null) return "null";
  if (typeof value === "boolean") return String(value);
  const [kind, noun] = kindOf(value);
  const isSame = formOf(expected).kind === kind || (kind === "fields" && formOf(expected).kind === "table");
  if (isSame) return `another ${noun}`;
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

function kindOf(value: unknown): readonly [SchemaForm["kind"] | undefined, string] {
  if (Array.isArray(value)) return ["list", "list"];
  switch (typeof value) {
    case "string":
      return ["text", "text"];
    case "number":
      return ["number", "number"];
    case "object":
      return ["fields", "object"];
    default:
      return [undefined, "value of another type"];
  }
}
