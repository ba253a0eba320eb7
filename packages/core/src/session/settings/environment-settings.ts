import { checkValue } from "../../settings/check-value.ts";
import { describeSchema, showValue, suggestFix } from "../../settings/explain-mismatch.ts";
import { flagVariable, flagVariablePrefix } from "../../settings/flag.ts";
import { nearestName } from "../../settings/nearest-name.ts";
import { isFit } from "../../settings/read-values.ts";
import { formOf } from "../../settings/schema-form.ts";
import { schemaOf } from "../../settings/schemas.ts";
import {
  type PlacedSetting,
  type Setting,
  type SettingsOf,
  type Shape,
  settingsIn,
} from "../../settings/setting.ts";
import {
  choose,
  type Environment,
  fromEnvironment,
  readNumber,
  readSwitch,
  type SettingWarning,
  switchWords,
} from "../../settings/setting-values.ts";
import { allVariables, isScalar, variableOf, variablePrefix, variablesOf } from "../../settings/variables.ts";
import type { economySettings } from "../../view/economics/economy.ts";
import { switchSettings } from "../../view/switch-settings.ts";
import { thresholdSettings } from "../../view/window/settings.ts";
import { retiredFlagNames, retiredFlagText } from "../flags/retired-flags.ts";
import { settingsShape } from "./all-settings.ts";

/** Settings that variables give, each with its variable. */
export interface EnvironmentSettings<Of> {
  readonly parts: readonly { readonly source: string; readonly settings: SettingsOf<Of> }[];
  readonly warnings: readonly SettingWarning[];
  /** Limits and rules that cannot be read, which would be none: nothing opens. */
  readonly problems: readonly SettingWarning[];
}

/** Variables of these rank between flags and models' own facts: whoever decides those reads them. */
const readElsewhere = new Set([
  ...Object.keys(switchSettings),
  ...Object.keys(thresholdSettings),
  "window.defaultWindowTokens",
]);

/** Variables with our prefix that are no setting's and no flag's. */
const otherVariables = ["HOME", "PROJECT", "SESSION", "DEBUG", "SEARCH_URL", "SEARCH_KEY"];

/**
 * The settings in the environment. A value that cannot be used is passed over with a warning; of a setting that protects it
 * is a problem.
 */
export function readEnvironmentSettings(environment: Environment): EnvironmentSettings<typeof settingsShape> {
  return readVariables(environment, settingsShape, readElsewhere);
}

/** Variables of flags that a mode has taken the place of, read as that mode unless a variable sets the mode. */
export function readRetiredVariables(
  environment: Environment,
  isModeSet: boolean,
): EnvironmentSettings<typeof economySettings> {
  const read = retiredFlagNames.map((name) => {
    const variable = flagVariable(name);
    const { value, warnings } = choose(fromEnvironment(environment, [variable]), readSwitch, switchWords);
    if (value === undefined) return { parts: [], warnings };
    const isRead = value && !isModeSet;
    const message = retiredFlagText(variable, isRead);
    const warning = { setting: variable, value: String(environment[variable]), message };
    const part = { source: variable, settings: { economy: "thrifty" } } as const;
    return { parts: isRead ? [part] : [], warnings: [warning] };
  });
  return {
    parts: read.flatMap(({ parts }) => parts),
    warnings: read.flatMap(({ warnings }) => warnings),
    problems: [],
  };
}

/** The same for any settings, but those whose names are passed over. */
export function readVariables<Of extends Shape>(
  environment: Environment,
  shape: Of,
  passedOver: ReadonlySet<string> = new Set(),
): EnvironmentSettings<Of> {
  const { scalars, byVariable, names } = variablesIn(shape);
  const given = scalars.filter(
    ({ name, variables }) =>
      !passedOver.has(name) && variables.some((variable) => environment[variable] !== undefined),
  );
  const schema = given.length > 0 ? schemaOf(shape) : undefined;
  const read = given.map(({ path, setting, variables }) => {
    const {
      value,
      setting: source = "",
      warnings,
    } = choose(
      fromEnvironment(environment, variables),
      (text) => readScalar(setting, text),
      formOf(setting.schema).kind === "switch" ? switchWords : describeSchema(setting.schema),
    );
    const { value: settings } = value === undefined || !schema ? {} : checkValue(nested(path, value), schema);
    const parts = settings ? [{ source, settings }] : [];
    if (!setting.isProtecting) return { parts, warnings, problems: [] };
    return { parts, warnings: [], problems: warnings.map((one) => toProblem(one, setting)) };
  });
  const unknown = unknownVariables(environment, names, byVariable);
  return {
    parts: read.flatMap(({ parts }) => parts),
    warnings: [...read, unknown].flatMap(({ warnings }) => warnings),
    problems: [...read, unknown].flatMap(({ problems }) => problems),
  };
}

function toProblem({ setting, value }: SettingWarning, { schema }: Setting<unknown>): SettingWarning {
  const message = `${setting}: expected ${describeSchema(schema)}, got ${showValue(value)}; ${suggestFix(schema, plainNumber(value)).replace(" without quotes", "")}, or unset it`;
  return { setting, value, message };
}

/** `$5` and `5 USD` are meant for 5, which a variable needs by itself. */
function plainNumber(text: string): unknown {
  const [number] = /\d+(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? text : number;
}

/** A value that stands in a text; undefined where the setting does not take it. */
export function readScalar(setting: Setting<unknown>, given: unknown): unknown {
  const { kind } = formOf(setting.schema);
  const value = kind === "switch" ? readSwitch(given) : kind === "number" ? readNumber(given) : String(given);
  return isFit(setting, value) ? value : undefined;
}

/** `{ a: { b: value } }` for the path `a`, `b`. */
export function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

interface ShapeVariables {
  /** The settings that can stand in a variable, each with its variables. */
  readonly scalars: readonly (PlacedSetting & { readonly variables: readonly string[] })[];
  /** Every setting by the variable that its name makes. */
  readonly byVariable: ReadonlyMap<string, PlacedSetting>;
  /** Every variable with our prefix that some setting is read from. */
  readonly names: readonly string[];
}

const knownShapes = new WeakMap<Shape, ShapeVariables>();

/** Made once a shape: every session that is opened asks for it. */
function variablesIn(shape: Shape): ShapeVariables {
  const known = knownShapes.get(shape);
  if (known) return known;
  const all = settingsIn(shape);
  const found = {
    scalars: all
      .filter(({ setting }) => isScalar(setting))
      .map((placed) => ({ ...placed, variables: variablesOf(placed.name, placed.setting) })),
    byVariable: new Map(all.map((placed) => [variableOf(placed.name), placed])),
    names: allVariables(shape).filter((name) => name.startsWith(variablePrefix)),
  };
  knownShapes.set(shape, found);
  return found;
}

/**
 * Of names that nobody reads, those that are near to one that is, and those of settings that no variable can hold: others
 * may belong to other programs.
 */
function unknownVariables(
  environment: Environment,
  known: readonly string[],
  settings: ReadonlyMap<string, PlacedSetting>,
): Pick<EnvironmentSettings<unknown>, "warnings" | "problems"> {
  const read = new Set([...known, ...otherVariables.map((name) => `${variablePrefix}${name}`)]);
  const found = Object.entries(environment).flatMap(([setting, value = ""]) => {
    if (value.trim() === "" || !setting.startsWith(variablePrefix) || read.has(setting)) return [];
    if (setting.startsWith(flagVariablePrefix)) return [];
    const structured = settings.get(setting);
    if (structured !== undefined) {
      const kind = describeSchema(structured.setting.schema);
      const message = `${setting} has no effect: ${structured.name} is ${kind}, which no variable can hold; write it into a settings file`;
      return [{ warning: { setting, value, message }, meant: structured }];
    }
    const bare = known.map((name) => name.slice(variablePrefix.length));
    const near = nearestName(setting.slice(variablePrefix.length), bare);
    if (near === undefined) return [];
    const message = `${setting} is not a setting and has no effect; did you mean ${variablePrefix}${near}?`;
    return [{ warning: { setting, value, message }, meant: settings.get(`${variablePrefix}${near}`) }];
  });
  const toldAs = (isProblem: boolean) =>
    found
      .filter(({ meant }) => (meant?.setting.isProtecting === true) === isProblem)
      .map(({ warning }) => warning);
  return { warnings: toldAs(false), problems: toldAs(true) };
}
