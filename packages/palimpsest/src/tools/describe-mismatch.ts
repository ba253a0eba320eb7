import { firstChars } from "@palimpsest/core/internal";
import type { ErrorObject } from "ajv";

const maxValueChars = 80;
const maxChoices = 20;

/** What does not fit, where, and what would: a sentence that a model can act on. */
export function describeMismatch(error: ErrorObject): string {
  const { keyword, params, data, parentSchema } = error;
  const place = placeOf(error.instancePath);
  switch (keyword) {
    case "required":
      return `${place === "" ? "" : `In ${place} `}\`${params.missingProperty}\` is missing.`.trimStart();
    case "additionalProperties":
    case "unevaluatedProperties":
      return unknownField(place, params.additionalProperty ?? params.unevaluatedProperty, parentSchema);
    case "type":
      return `${subject(place)} must be ${listed([params.type].flat())}, and is ${show(data)}.`;
    case "enum":
      return `${subject(place)} must be one of ${choices(params.allowedValues)}, and is ${show(data)}.`;
    case "const":
      return `${subject(place)} must be ${show(params.allowedValue)}, and is ${show(data)}.`;
    case "anyOf":
    case "oneOf":
      return `${subject(place)} fits none of what is allowed there, and is ${show(data)}.`;
    default:
      return `${subject(place)} ${error.message ?? "does not fit"}, and is ${show(data)}.`;
  }
}

function unknownField(place: string, field: string, schema: unknown): string {
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  const known = Object.keys(properties ?? {}).map((name) => `\`${name}\``);
  const there = known.length === 0 ? "" : ` There are ${known.slice(0, maxChoices).join(", ")}.`;
  return `${subject(place)} has no field \`${firstChars(field, maxValueChars)}\`.${there}`;
}

const subject = (place: string) => (place === "" ? "The input" : place);

/** `/todos/0/status` as `todos[0].status`. */
function placeOf(path: string): string {
  const parts = path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const joined = parts
    .map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join("");
  return joined === "" ? "" : `\`${joined}\``;
}

const articles: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function listed(types: readonly string[]): string {
  return types.map((type) => articles[type] ?? type).join(" or ");
}

function choices(values: readonly unknown[]): string {
  const shown = values.slice(0, maxChoices).map(show).join(", ");
  return values.length > maxChoices ? `${shown}, …` : shown;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= maxValueChars ? text : `${firstChars(text, maxValueChars)}…`;
}
