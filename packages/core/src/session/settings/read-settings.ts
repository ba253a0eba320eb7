import { isRecord } from "../../json/json-values.ts";
import { checkValue, manyProblems, type SettingProblem } from "../../settings/check-value.ts";
import { showValue } from "../../settings/explain-mismatch.ts";
import type { SettingWarning } from "../../settings/setting-values.ts";
import { fail, ok, type Result, type Settings } from "../../spec/index.ts";
import { settingsSchema } from "./all-settings.ts";
import { type OldSetting, withNewNames } from "./old-settings.ts";
import { parseSettingsJson, type TextPosition, type TextPositions } from "./parse-settings-json.ts";

interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsWarning[];
  /** Where each setting stands, for what was read from a file. */
  readonly places?: TextPositions;
}

/** Where the text came from. */
export interface SettingsOrigin {
  /** As messages call it. */
  readonly file: string;
  /** As the disk knows it. */
  readonly path: string;
}

/** The settings in a file's bytes, or `invalid-input` with every problem, each with its place and its fix. */
export async function readSettings(bytes: Uint8Array, origin: SettingsOrigin): Promise<Result<ReadSettings>> {
  const text = decode(bytes);
  if (text === undefined) return refuse(origin, [{ problem: "is not UTF-8 text", fix: "save it as UTF-8" }]);
  if (text.includes("\0"))
    return refuse(origin, [{ problem: "is not UTF-8 text but UTF-16 or binary", fix: "save it as UTF-8" }]);
  const parsed = await parseSettingsJson(text);
  if (parsed.ok) return checkSettings(parsed.value.value, origin, parsed.value.places);
  const { line, column, problem, fix } = parsed.error;
  return refuse(origin, [{ place: { line, column }, problem, fix }], { line, column });
}

/** Settings that are a value already: what a program gives as options. */
export function checkSettings(
  given: unknown,
  origin: SettingsOrigin,
  places?: TextPositions,
): Result<ReadSettings> {
  const named = withNewNames(given);
  const checked = checkValue(named.settings, settingsSchema);
  const { value: settings, problems, unknown } = checked;
  if (!settings) {
    // An unknown name beside what is wrong is often the reason.
    const beside = unknown.filter((one) => problems.some(({ path }) => one.path.startsWith(`${path}.`)));
    const placed = [...problems, ...beside.map((one) => ({ ...one, isName: true as const }))]
      .map(underOldName(given, named.found))
      .map((problem) => ({
        ...problem,
        place: (problem.isName ? places?.names : places?.values)?.get(problem.given),
      }));
    return refuse(origin, placed.toSorted(byPlace), {}, checked.moreProblems);
  }
  const old = named.found.map(({ name, value, problem, fix }) => ({
    file: origin.file,
    setting: name,
    value: showValue(value),
    message: sentence(origin, { place: places?.names.get(name), problem, fix }),
    isOld: true,
  }));
  const notUsed = unknown.map(({ value, ...found }) => ({
    file: origin.file,
    setting: cut(found.path),
    value: value === undefined ? "(not shown)" : showValue(value),
    message: sentence(origin, { ...found, place: places?.names.get(found.path) }),
  }));
  const warnings = [...old, ...notUsed, ...moreNames(origin, checked.moreUnknown)];
  return ok({ settings, warnings, ...(places && { places }) });
}

function moreNames({ file }: SettingsOrigin, count: number | undefined): readonly SettingsWarning[] {
  if (count === undefined) return [];
  const message = `${file}: … and ${count} more names that are not settings`;
  return [{ file, setting: "", value: "", message }];
}

/** A problem under the name that stands in the file. */
function underOldName(given: unknown, found: readonly OldSetting[]) {
  return (problem: SettingProblem) => {
    const old = found.find(({ today }) => today === problem.path)?.name;
    if (old === undefined || (isRecord(given) && Object.hasOwn(given, problem.path)))
      return { ...problem, given: problem.path };
    return { ...problem, path: `${old} (now ${problem.path})`, given: old };
  };
}

interface Problem {
  readonly path?: string;
  readonly problem: string;
  readonly fix: string;
  /** In the file, where there is one. */
  readonly place?: TextPosition;
}

function byPlace({ place: one }: Problem, { place: other }: Problem): number {
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

/** `settings.json:4:23: compaction.budgetPercent: expected …; write …`, as editors and terminals open it. */
function sentence({ file }: SettingsOrigin, { place, path = "", problem, fix }: Problem): string {
  const at = place ? `${file}:${place.line}:${place.column}` : file;
  return `${at}: ${path === "" ? "" : `${cut(path)}: `}${problem}; ${fix}`;
}

/** A path of any length may stand in a file that came with somebody's repository. */
function cut(path: string): string {
  const points = [...path.slice(0, 2 * longestPath + 2)];
  return points.length <= longestPath ? path : `${points.slice(0, longestPath).join("")}…`;
}

const longestPath = 100;

function refuse(
  origin: SettingsOrigin,
  problems: readonly Problem[],
  facts: Readonly<Record<string, unknown>> = {},
  more = 0,
): Result<never> {
  const { path } = origin;
  const rest =
    more === 0 ? [] : [`${origin.file}: … and ${more >= manyProblems ? "at least " : ""}${more} more`];
  const message = [...problems.map((problem) => sentence(origin, problem)), ...rest].join("\n");
  const told = problems.map(({ path = "", place, problem, fix }) => ({
    ...(path !== "" && { path: cut(path) }),
    ...place,
    problem,
    fix,
  }));
  return fail("invalid-input", message, { path, fix: `Edit ${path}.`, facts: { ...facts, problems: told } });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Something in a settings file, or in the options, that has no effect or is written otherwise today. */
export interface SettingsWarning extends SettingWarning {
  /** The file as a person knows it, or `options`. */
  readonly file: string;
  /** It is known, and written otherwise today; absent: nobody reads it. */
  readonly isOld?: boolean;
}
