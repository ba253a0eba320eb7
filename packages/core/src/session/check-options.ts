import { fail, ok, type Result } from "../spec/index.ts";
import { withoutLongSuffix } from "../view/window/window.ts";
import type { SessionOptions } from "./open-session.ts";

type Check = readonly [name: keyof SessionOptions, expected: string, is: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string";
const isName = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isModelName = (value: unknown) => isName(value) && withoutLongSuffix(value as string) !== "";
const isObject = (value: unknown) => typeof value === "object" && value !== null;
const isTextTable = (value: unknown) => isObject(value) && Object.values(value as object).every(isText);
const isTextBlock = (value: unknown) => isObject(value) && isText((value as { text?: unknown }).text);

const checks: readonly Check[] = [
  [
    "model",
    "a model's name (“[1m]” alone is none), or a model",
    (value) => isModelName(value) || isNamed(value),
  ],
  ["system", "a text or text blocks", (value) => isText(value) || isListOf(value, isTextBlock)],
  ["tools", "a list of tools", (value) => isListOf(value, isObject)],
  ["request", "an object", (value) => isObject(value) && !Array.isArray(value)],
  ["id", "a text", isText],
  ["cwd", "a folder's path", isText],
  ["home", "a folder's path", isText],
  ["settings", "an object", isObject],
  ["layers", "a list of layers", (value) => isListOf(value, isLayer)],
  ["trustPlaces", "places with “isTracked”", (value) => hasMethods(value, ["isTracked"])],
  ["clock", "a clock", (value) => hasMethods(value, ["now", "monotonic", "sleep"])],
  ["store", "a store", (value) => isObject(value) && isObject((value as { logs?: unknown }).logs)],
  ["databaseUrl", "the URL of a database", isName],
  ["secrets", "texts by name, or false", (value) => value === false || isTextTable(value)],
  ["loop", "a loop with “run”, “fork” and “surroundings”", (value) => hasMethods(value, loopMethods)],
  ["onEvent", "a function", (value) => typeof value === "function"],
  ["durability", "“process”, “fsync” or “relaxed”", (value) => durabilities.has(value)],
];

const loopMethods = ["run", "queue", "count", "fork", "surroundings", "close"];
const durabilities = new Set<unknown>(["process", "fsync", "relaxed"]);

/** Options as TypeScript would have them, for those who do not use it. */
export function checkOptions(options: SessionOptions): Result<void> {
  if (!isObject(options)) return refused("options", "an object");
  for (const [name, expected, is] of checks) {
    const value: unknown = options[name];
    if (value !== undefined && !is(value)) return refused(name, expected);
  }
  for (const name of ["tools", "request", "system"] as const) {
    if (!isJson(options[name])) return refused(name, "something that can be written as JSON");
  }
  return ok();
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isNamed(value: unknown): boolean {
  return isObject(value) && isModelName((value as { name?: unknown }).name);
}

function isLayer(value: unknown): boolean {
  if (!hasMethods(value, ["decide", "apply"])) return false;
  const { id, moments } = value as { readonly id?: unknown; readonly moments?: unknown };
  return isText(id) && Array.isArray(moments);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return (
    isObject(value) && names.every((name) => typeof (value as Record<string, unknown>)[name] === "function")
  );
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function refused(path: string, expected: string): Result<never> {
  return fail("invalid-input", `${path}: expected ${expected}.`, {
    path,
    fix: "See “SessionOptions” for what openSession takes.",
  });
}
