import { firstChars } from "@palimpsest/core/internal";
import { fail, ok, type Result, type Tool } from "@palimpsest/core/spec";
import type { ErrorObject, Options, ValidateFunction } from "ajv";

/** The most mismatches reported for one input. */
const maxMismatches = 8;

type Schema = NonNullable<Tool["input_schema"]>;
type Check = { readonly validate: ValidateFunction } | { readonly warning: string };

const checks = new WeakMap<Schema, Promise<Check>>();

const settings: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  logger: false,
  verbose: true,
  code: { regExp: Object.assign(toRegExp, { code: "" }) },
};

/**
 * Whether an input is what the tool's schema asks for; a failure says per field what is expected and what came. A schema
 * that cannot be used lets everything pass, and `warn` hears of it once: the tool has the last word then. Nothing is asked
 * of what a provider's own tool gets.
 */
export async function checkToolInput(
  tool: Pick<Tool, "name" | "input_schema">,
  input: unknown,
  warn?: (text: string) => void,
): Promise<Result<unknown>> {
  const schema = tool.input_schema;
  if (schema === undefined) return ok(input);
  const known = checks.get(schema);
  const check = await (known ?? remember(schema));
  if ("warning" in check) {
    if (!known)
      warn?.(`The input of ${tool.name} is not checked: its schema cannot be used (${check.warning}).`);
    return ok(input);
  }
  if (check.validate(input)) return ok(input);
  const mismatches = sentences(check.validate.errors ?? []);
  const shown = mismatches.slice(0, maxMismatches);
  const more = mismatches.length - shown.length;
  const all = more > 0 ? [...shown, `There are ${more} more.`] : shown;
  return fail("invalid-input", `The input of ${tool.name} is not right. ${all.join(" ")}`, {
    fix: "Call it again with an input that fits its schema.",
  });
}

function remember(schema: Schema): Promise<Check> {
  const check = compile(schema);
  checks.set(schema, check);
  return check;
}

/** By the newest draft, unless the schema names an older one or only fits there. Every schema has an ajv of its own. */
async function compile(schema: Schema): Promise<Check> {
  const [{ Ajv }, { Ajv2020 }] = await Promise.all([import("ajv"), import("ajv/dist/2020.js")]);
  const { $schema, ...rest } = schema;
  const isOld = typeof $schema === "string" && /draft-0[4-7]/.test($schema);
  let warning = "";
  for (const Version of isOld ? [Ajv, Ajv2020] : [Ajv2020, Ajv]) {
    try {
      return { validate: new Version(settings).compile(rest) };
    } catch (cause) {
      warning ||= firstChars(cause instanceof Error ? cause.message : String(cause), 200);
    }
  }
  return { warning };
}

/** A pattern that is none under the rules for Unicode may be one under the older rules. */
function toRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}

/** An alternative that does not fit says more than each of its branches. */
function sentences(errors: readonly ErrorObject[]): readonly string[] {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const isInside = (error: ErrorObject) =>
    choices.some((choice) => choice !== error && error.schemaPath.startsWith(`${choice.schemaPath}/`));
  return [...new Set(errors.filter((error) => !isInside(error)).map(describeMismatch))];
}

const maxValueChars = 80;
const maxChoices = 20;

/** The mismatch, where it is, and what would fit: a sentence that a model can act on. */
function describeMismatch(error: ErrorObject): string {
  const { keyword, params, data, parentSchema } = error;
  const place = placeOf(error.instancePath);
  switch (keyword) {
    case "required":
      return `${place === "" ? "" : `In ${place} `}\`${params.missingProperty}\` is missing.`.trimStart();
    case "additionalProperties":
    case "unevaluatedProperties":
      return describeUnknownField(
        place,
        params.additionalProperty ?? params.unevaluatedProperty,
        parentSchema,
      );
    case "type":
      return `${subject(place)} must be ${listTypes([params.type].flat())}, and is ${show(data)}.`;
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

function describeUnknownField(place: string, field: string, schema: unknown): string {
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

function listTypes(types: readonly string[]): string {
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
