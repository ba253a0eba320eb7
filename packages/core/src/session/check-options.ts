import { isObject } from "../json/json-values.ts";
import { nearestName } from "../settings/nearest-name.ts";
import { fail, ok, type Result, type SessionEndReason, type SessionStartSource } from "../spec/index.ts";
import { withoutLongSuffix } from "../view/window/window.ts";
import type { SessionOptions } from "./open-session.ts";

type Check = readonly [name: keyof SessionOptions, expected: string, is: (value: unknown) => boolean];

const isText = (value: unknown) => typeof value === "string";
const isName = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isModelName = (value: unknown) => isName(value) && withoutLongSuffix(value as string) !== "";
const isTextTable = (value: unknown) => isObject(value) && Object.values(value).every(isText);
const isTextBlock = (value: unknown) => isObject(value) && isText(value.text);

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
  ["store", "a store", (value) => isObject(value) && isObject(value.logs)],
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
  if (!isObject(options)) return refuse("options", "an object");
  for (const [name, expected, is] of checks) {
    const value: unknown = options[name];
    if (value !== undefined && !is(value)) return refuse(name, expected);
  }
  for (const name of ["tools", "request", "system"] as const) {
    if (!isJson(options[name])) return refuse(name, "something that can be written as JSON");
  }
  return ok();
}

function isListOf(value: unknown, is: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

function isNamed(value: unknown): boolean {
  return isObject(value) && isModelName(value.name);
}

function isLayer(value: unknown): boolean {
  if (!hasMethods(value, ["decide", "apply"])) return false;
  const { id, moments } = value as { readonly id?: unknown; readonly moments?: unknown };
  return isText(id) && Array.isArray(moments);
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === "function");
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function refuse(path: string, expected: string): Result<never> {
  return fail("invalid-input", `${path}: expected ${expected}.`, {
    path,
    fix: "See “SessionOptions” for what openSession takes.",
  });
}

const startSources: Readonly<Record<SessionStartSource, true>> = {
  startup: true,
  resume: true,
  clear: true,
  compact: true,
  fork: true,
};

const endReasons: Readonly<Record<SessionEndReason, true>> = {
  closed: true,
  clear: true,
  resume: true,
  done: true,
  quit: true,
  interrupted: true,
};

/** How a session begins, as a program says it to `openSession`. */
export function checkStartSource(source: unknown): Result<void> {
  return checkName("startSource", source, startSources);
}

/** Why a session ends, as a program says it to `close`. */
export function checkEndReason(reason: unknown): Result<void> {
  return checkName("reason", reason, endReasons);
}

function checkName(path: string, name: unknown, names: Readonly<Record<string, true>>): Result<void> {
  if (typeof name === "string" && Object.hasOwn(names, name)) return ok();
  return fail("invalid-input", `${path}: “${String(name)}” is none there is.`, {
    path,
    fix: `Use one of ${Object.keys(names).join(", ")}, or leave it out.`,
  });
}

/** A name for each option of a type: the compiler says which one is missing or too much. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

const warned = new Set<string>();

/** Tells of options that nobody knows, with the one that was most likely meant: each name once in a process. */
export function warnOfUnknownOptions<Options extends object>(
  caller: string,
  given: Options,
  known: OptionNames<Options>,
  warn: (text: string) => void,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || Object.hasOwn(known, name) || warned.has(name)) continue;
    warned.add(name);
    const nearest = nearestName(name, Object.keys(known));
    const hint = nearest === undefined ? "" : ` Did you mean “${nearest}”?`;
    warn(`${caller}: “${name}” is not an option and has no effect.${hint}`);
  }
}
