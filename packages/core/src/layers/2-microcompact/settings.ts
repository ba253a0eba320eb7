import { onByDefault } from "../../settings/flag.ts";
import { defaultsOf, isFit, readValues } from "../../settings/read-values.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import { onceAConfiguration } from "../../settings/setting-values.ts";
import type { Facts } from "../../spec/index.ts";
import { clearByCacheEdits } from "./strategies/cache-edits.ts";
import { clearCold } from "./strategies/cold.ts";
import { clearEconomically } from "./strategies/economic.ts";
import { clearOnServer } from "./strategies/server.ts";
import { clearOverThreshold } from "./strategies/threshold.ts";

/** In the order in which they are asked; the last one is always on. Their flags and settings are listed in this order too. */
export const strategies = [
  clearCold,
  clearOnServer,
  clearByCacheEdits,
  clearOverThreshold,
  clearEconomically,
] as const;

/** Every part of a union at once. */
type Every<Union> = (Union extends unknown ? (one: Union) => void : never) extends (every: infer All) => void
  ? { readonly [Name in keyof All]: All[Name] }
  : never;

/** When old tool results are cleared, and how many stay: the settings of all strategies. */
export const microcompactSettings = together(strategies.map(({ settings }) => settings));

/** Flags that turn strategies on, and the one that turns off all of them. */
export const microcompactFlags = {
  clear: onByDefault("Clears old tool results before requests (micro-compaction)."),
  ...together(strategies.map(({ flags }) => flags)),
};

function together<Part extends object>(parts: readonly Part[]): Every<Part> {
  const all: unknown = Object.assign({}, ...parts);
  if (hasEvery(all, parts)) return all;
  throw new TypeError("Two strategies declare the same name.");
}

function hasEvery<Part extends object>(all: unknown, parts: readonly Part[]): all is Every<Part> {
  const names = parts.flatMap((part) => Object.keys(part));
  return typeof all === "object" && all !== null && Object.keys(all).length === names.length;
}

/** Every number this layer rests on. */
export type MicrocompactNumbers = ValuesOf<typeof microcompactSettings>;

export const microcompactNumbers: MicrocompactNumbers = defaultsOf(microcompactSettings);

/** Reads what was set. Total: a value that does not fit is passed over. */
export function numbersOf(facts: Pick<Facts, "settings" | "cache">): MicrocompactNumbers {
  const { numbers, notSet } = readNumbers(facts);
  const known = notSet.map(({ name, whereNotSet }) => [name, whereNotSet(facts)] as const);
  return { ...numbers, ...Object.fromEntries(known.filter(([, value]) => value !== undefined)) };
}

const readNumbers = onceAConfiguration(({ settings }: Pick<Facts, "settings">) => {
  const given = new Map<string, unknown>(Object.entries(settings.microcompact ?? {}));
  const notSet = Object.entries(microcompactSettings).flatMap(([name, setting]) =>
    setting.whereNotSet && !isFit(setting, given.get(name))
      ? [{ name, whereNotSet: setting.whereNotSet }]
      : [],
  );
  return { numbers: readValues(microcompactSettings, settings.microcompact), notSet };
});
