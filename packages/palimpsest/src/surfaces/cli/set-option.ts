import type { Economy } from "@palimpsest/core/spec";
import { Option } from "commander";

const modes: Readonly<Record<Economy, true>> = { faithful: true, thrifty: true };

/** The option of commands that work with an agent: the setting `economy`. */
export function economyOption(): Option {
  const option = new Option("--economy <mode>", "whether context may be cut down early to save money");
  return option.choices(Object.keys(modes));
}

/** The option of commands that open sessions: flags, description and how repeated ones are collected. */
export const setOption = [
  "--set <name=value>",
  "change a setting for this session; may be repeated",
  (text: string, before: readonly string[] = []): readonly string[] => [...before, text],
] as const;
