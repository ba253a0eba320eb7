import type { Facts } from "../spec/index.ts";

/** The process's environment, handed in as plain data. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value that was given and is not used: for the user to see, never printed here. */
export interface SettingWarning {
  /** The variable or setting as the user wrote it. */
  readonly setting: string;
  readonly value: string;
  readonly message: string;
}

/** A value somebody may have given; undefined and blank ones count as not given. */
export interface Candidate {
  readonly setting: string;
  readonly value: unknown;
}

export interface ChosenValue<Value> {
  /** The first usable candidate, strongest first; absent when there is none. */
  readonly value?: Value;
  readonly setting?: string;
  readonly warnings: readonly SettingWarning[];
}

/** Unusable candidates are passed over with a warning; what stands behind the chosen one is not looked at. */
export function choose<Value>(
  candidates: readonly Candidate[],
  read: (value: unknown) => Value | undefined,
  expects: string,
): ChosenValue<Value> {
  const warnings: SettingWarning[] = [];
  for (const { setting, value } of candidates.filter(isGiven)) {
    const usable = read(value);
    if (usable !== undefined) return { value: usable, setting, warnings };
    const message = `${setting} is ignored: ${JSON.stringify(value)} is not ${expects}.`;
    warnings.push({ setting, value: String(value), message });
  }
  return { warnings };
}

function isGiven({ value }: Candidate): boolean {
  return value !== undefined && value !== null && !(typeof value === "string" && value.trim() === "");
}

export function fromEnvironment(environment: Environment, names: readonly string[]): readonly Candidate[] {
  return names.map((name) => ({ setting: name, value: environment[name] }));
}

/** A number, or a text that is a plain decimal number. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

export function readTokens(value: unknown): number | undefined {
  const tokens = readNumber(value);
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}

/** The words of `readSwitch`. */
export const switchWords = "one of 1, true, yes, on, 0, false, no, off";

/** Truthy: 1, true, yes, on. Falsy: 0, false, no, off. Any case; nothing else is either. */
export function readSwitch(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = String(value).trim().toLowerCase();
  if (["1", "true", "yes", "on"].includes(word)) return true;
  return ["0", "false", "no", "off"].includes(word) ? false : undefined;
}

type ConfiguredFacts = Pick<Facts, "settings"> & Partial<Pick<Facts, "thresholds">>;

/**
 * Reads numbers out of what was set, once a configuration instead of once a decision. Settings that are not frozen may
 * change, and are read every time.
 */
export function onceAConfiguration<Given extends ConfiguredFacts, Read>(
  read: (facts: Given) => Read,
): (facts: Given) => Read {
  const known = new WeakMap<Facts["settings"], Pick<Given, "thresholds"> & { readonly value: Read }>();
  return (facts) => {
    const { settings, thresholds } = facts;
    if (!Object.isFrozen(settings)) return read(facts);
    const before = known.get(settings);
    if (before && before.thresholds === thresholds) return before.value;
    const value = read(facts);
    known.set(settings, { thresholds, value });
    return value;
  };
}
