import { isRecord } from "../../json/json-values.ts";
import type { Economy } from "../../spec/index.ts";
import { isRetiredFlag, retiredFlagNotice } from "../flags/retired-flags.ts";

/** A setting as it was called or given before. */
export interface OldSetting {
  /** As it stands there: `sessionMemoryEnabled`, `flags.compact-early`. */
  readonly name: string;
  readonly value: unknown;
  /** The name of the setting that it is read as. */
  readonly today: string;
  readonly problem: string;
  readonly fix: string;
}

interface ReadAnew<Value> {
  readonly settings: Value;
  readonly found: readonly OldSetting[];
}

/** Settings that have another name now, by their old ones, which are still read. */
export const renamedSettings = {
  sessionMemoryEnabled: "sessionNotesEnabled",
  contextCollapseEnabled: "foldingEnabled",
} as const;

/** The same settings as they are written today, and what stood there of old. What is new counts before what is old. */
export function withNewNames<Value>(settings: Value): ReadAnew<Value> {
  const named = withRenamed(settings);
  const economical = withoutRetiredFlags(named.settings);
  return { settings: economical.settings, found: [...named.found, ...economical.found] };
}

function withRenamed<Value>(settings: Value): ReadAnew<Value> {
  if (!isRecord(settings)) return { settings, found: [] };
  const found = Object.entries(renamedSettings).filter(([name]) => Object.hasOwn(settings, name));
  if (found.length === 0) return { settings, found: [] };
  const renamed = { ...settings };
  for (const [name, today] of found) {
    if (!Object.hasOwn(settings, today)) Reflect.set(renamed, today, settings[name]);
    Reflect.deleteProperty(renamed, name);
  }
  const olds = found.map(([name, today]) => ({
    name,
    value: settings[name],
    today,
    problem: `${name} is called ${today} now`,
    fix: "rename it",
  }));
  return { settings: renamed, found: olds };
}

const thrifty: Economy = "thrifty";

/** Flags that asked for parts of the mode `thrifty` ask for the mode, unless it is set in the same place. */
function withoutRetiredFlags<Value>(settings: Value): ReadAnew<Value> {
  if (!isRecord(settings) || !isRecord(settings.flags)) return { settings, found: [] };
  const given = Object.entries(settings.flags);
  const retired = given.filter(([name]) => isRetiredFlag(name));
  if (retired.length === 0) return { settings, found: [] };
  const isRead = (value: unknown) => value === true && !Object.hasOwn(settings, "economy");
  const kept = { ...settings, flags: Object.fromEntries(given.filter(([name]) => !isRetiredFlag(name))) };
  if (retired.some(([, value]) => isRead(value))) Reflect.set(kept, "economy", thrifty);
  const found = retired.map(([name, value]) => ({
    name: `flags.${name}`,
    value,
    today: "economy",
    ...retiredFlagNotice(`flags.${name}`, isRead(value)),
  }));
  return { settings: kept, found };
}
