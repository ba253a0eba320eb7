import { firstChars } from "@palimpsest/core/internal";
import { fail, ok, type Result, type Tool } from "@palimpsest/core/spec";
import type { ErrorObject, Options, ValidateFunction } from "ajv";
import { describeMismatch } from "./describe-mismatch.ts";

/** What is said about one input at most. */
const maxMismatches = 8;

type Schema = Tool["input_schema"];
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
 * that cannot be used lets everything pass, and `warn` hears of it once: the tool has the last word then.
 */
export async function checkToolInput(
  tool: Pick<Tool, "name" | "input_schema">,
  input: unknown,
  warn?: (text: string) => void,
): Promise<Result<unknown>> {
  const schema = tool.input_schema;
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
