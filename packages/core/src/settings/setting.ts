import type { GenericSchema } from "valibot";
import type { Facts } from "../spec/index.ts";

/** One setting, declared once: types, checks, variables, `palimpsest config` and the guide are made from it. */
export interface Setting<Value> {
  readonly kind: "setting";
  /** The values it takes. */
  readonly schema: GenericSchema<unknown, Value>;
  /** Absent: nothing is set, and the part decides by itself. */
  readonly default?: Value;
  /** One line: what it changes for a user. */
  readonly doc: string;
  /** Names of environment variables besides the one made from its path; they win over that one, the first over the second. */
  readonly variables?: readonly string[];
  /** A variable that, where it is truthy, turns it off. */
  readonly disabledBy?: string;
  /** The flag that says the same. */
  readonly flag?: string;
  /** In a small window the number shrinks in proportion, and is rounded so. */
  readonly scaled?: "up" | "down";
  /** The default where facts know a better one. */
  readonly whereNotSet?: (facts: Pick<Facts, "cache">) => Value | undefined;
  /** It may hold keys: its value is never shown. */
  readonly isHidden?: boolean;
  /**
   * It limits spending or forbids something: where it cannot be read nothing opens, a variable and an unknown name beside it
   * in a file too. Other settings are passed over with a warning there.
   */
  readonly isProtecting?: boolean;
  /** Shown where there is no default: an object or a list is hard to guess. */
  readonly example?: Value;
}

/** A setting that always has a value. */
export interface DefaultSetting<Value> extends Setting<Value> {
  readonly default: Value;
}

/** Settings by name, of one part or of all of them. */
export interface Shape {
  readonly [name: string]: Setting<unknown> | Shape;
}

/** The type of what a user writes: every name may be left out. */
export type SettingsOf<Of> = {
  readonly [Name in keyof Of]?: Of[Name] extends Setting<infer Value> ? Value : SettingsOf<Of[Name]>;
};

/** The type of what a part reads: defaults are filled in. */
export type ValuesOf<Of> = {
  readonly [Name in keyof Of as Of[Name] extends DefaultSetting<unknown>
    ? Name
    : never]: Of[Name] extends Setting<infer Value> ? Value : never;
} & {
  readonly [Name in keyof Of as Of[Name] extends DefaultSetting<unknown>
    ? never
    : Name]?: Of[Name] extends Setting<infer Value> ? Value : never;
};

/** A setting and its place among the others. */
export interface PlacedSetting {
  /** As it is written: `compaction.budgetPercent`. */
  readonly name: string;
  readonly path: readonly string[];
  readonly setting: Setting<unknown>;
}

export function isSetting(part: Setting<unknown> | Shape): part is Setting<unknown> {
  return part.kind === "setting";
}

/** Every setting of a shape, in its order. */
export function settingsIn(shape: Shape, path: readonly string[] = []): readonly PlacedSetting[] {
  return Object.entries(shape).flatMap(([name, part]) => {
    const here = [...path, name];
    return isSetting(part)
      ? [{ name: settingPath(here), path: here, setting: part }]
      : settingsIn(part, here);
  });
}

/** `a.b-c["odd name"][0]`: how a place in the settings is written. */
export function settingPath(parts: readonly (string | number)[]): string {
  return parts
    .map((part, position) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[A-Za-z_][\w-]*$/.test(part)) return `[${JSON.stringify(part)}]`;
      return position === 0 ? part : `.${part}`;
    })
    .join("");
}
