import type { flagTable } from "../session/flags/flag-table.ts";
import type { FlagValuesOf, SwitchFlagsIn } from "../settings/flag.ts";
import type { Result } from "./result.ts";

/** A part of the engine that a flag turns on or off. */
export type SwitchFlagName = SwitchFlagsIn<typeof flagTable>;

/** The value of each flag. A session resolves them once, when it opens. */
export type FlagValues = FlagValuesOf<typeof flagTable>;

export type FlagName = keyof FlagValues;

/** Flag values stored in one place. Names and values are as they were written: whoever reads them checks them. */
export interface StoredFlags {
  /** For a person. */
  readonly address: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Off, whatever anybody else says. */
  readonly killed: readonly string[];
}

/** Flags that hold on every machine that shares a store. What is said of a project goes before what is said of all. */
export interface FlagStore {
  read(): Promise<Result<StoredFlags>>;
  /** `undefined` takes it back, and so does `false` for `isKilled`. */
  set(name: string, said: StoredFlag, reach: FlagReach): Promise<Result<void>>;
}

export interface StoredFlag {
  readonly value?: unknown;
  readonly isKilled: boolean;
}

/** `everywhere`: in all projects of the store. */
export type FlagReach = "project" | "everywhere";
