import { readAssignedSettings } from "@palimpsest/core/internal";
import { type Economy, PalimpsestError, type Settings } from "@palimpsest/core/spec";
import { orThrow, UsageError } from "../../local/or-throw.ts";

interface SettingOptions {
  readonly set?: readonly string[];
  /** The same as `--set economy=…`, and stronger. */
  readonly economy?: Economy;
}

/** The settings after `--set` and `--economy`; undefined where there is none. What is wrong with one is wrong usage. */
export function assignedSettings({ set, economy }: SettingOptions): Settings | undefined {
  if (set === undefined && economy === undefined) return undefined;
  try {
    return { ...orThrow(readAssignedSettings(set ?? [])), ...(economy && { economy }) };
  } catch (cause) {
    throw PalimpsestError.isInstance(cause) ? new UsageError(cause.message) : cause;
  }
}
