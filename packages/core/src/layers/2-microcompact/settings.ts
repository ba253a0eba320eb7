import type { Facts, MicrocompactSettings } from "../../spec/index.ts";
import { onceAConfiguration } from "../../view/setting-values.ts";
import { clearByCacheEdits } from "./strategies/cache-edits.ts";
import { clearCold } from "./strategies/cold.ts";
import { clearEconomically } from "./strategies/economic.ts";
import { clearOnServer } from "./strategies/server.ts";
import { clearOverThreshold } from "./strategies/threshold.ts";
import type { ClearingFlag, ClearingSetting, Strategy } from "./strategy.ts";

/** In the order in which they are asked; the last one is always on. Their flags and settings are listed in this order too. */
export const strategies = [
  clearCold,
  clearOnServer,
  clearByCacheEdits,
  clearOverThreshold,
  clearEconomically,
] as const;

/** Every number this layer rests on; each can be set under `microcompact`. */
export type MicrocompactNumbers = Required<MicrocompactSettings>;

type DeclaredStrategy = (typeof strategies)[number];
type DeclaredSetting = NamesIn<DeclaredStrategy["settings"]>;
type DeclaredFlag = Extract<DeclaredStrategy, { readonly flag: ClearingFlag }>["flag"]["name"];
type NamesIn<Settings> = Settings extends unknown ? keyof Settings : never;

const all: readonly Strategy[] = strategies;

/** Something for every setting, in their order. A name that the specification has and no strategy declares does not compile. */
export function forClearingSettings<Value>(
  make: (setting: ClearingSetting) => Value,
): Readonly<Record<keyof MicrocompactSettings, Value>> {
  const settings = all.flatMap((strategy) => Object.entries(strategy.settings));
  return Object.fromEntries(settings.map(([name, setting]) => [name, make(setting)])) as Record<
    DeclaredSetting,
    Value
  >;
}

/** As `forClearingSettings`, for the flags. */
export function forClearingFlags<Value>(
  make: (flag: ClearingFlag) => Value,
): Readonly<Record<ClearingFlag["name"], Value>> {
  const flags = all.flatMap(({ flag }) => flag ?? []);
  return Object.fromEntries(flags.map((flag) => [flag.name, make(flag)])) as Record<DeclaredFlag, Value>;
}

export const microcompactNumbers: MicrocompactNumbers = forClearingSettings(({ default: usual }) => usual);

/** Reads what was set. Total: a value that is no count is passed over. */
export function numbersOf(facts: Pick<Facts, "settings" | "cache">): MicrocompactNumbers {
  const { numbers, notSet } = readNumbers(facts);
  const known = notSet.map(({ name, whereNotSet }) => [name, whereNotSet(facts)] as const);
  return { ...numbers, ...Object.fromEntries(known.filter(([, value]) => value !== undefined)) };
}

const readNumbers = onceAConfiguration(({ settings }: Pick<Facts, "settings">) => {
  const given = new Map(Object.entries(settings.microcompact ?? {}));
  const isSet = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  const declared = Object.entries(forClearingSettings((setting) => setting));
  const set = declared.flatMap(([name, { least }]) => {
    const value: unknown = given.get(name);
    return isSet(value) ? [[name, Math.max(least, value)] as const] : [];
  });
  const numbers: MicrocompactNumbers = { ...microcompactNumbers, ...Object.fromEntries(set) };
  const notSet = declared.flatMap(([name, { whereNotSet }]) =>
    whereNotSet && !isSet(given.get(name)) ? [{ name, whereNotSet }] : [],
  );
  return { numbers, notSet };
});
