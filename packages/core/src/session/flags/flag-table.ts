import type { GenericSchema } from "valibot";
import { toolResultFlags } from "../../layers/1-tool-results/settings.ts";
import { microcompactFlags } from "../../layers/2-microcompact/settings.ts";
import { sessionNotesFlags } from "../../layers/3-session-notes/settings.ts";
import { foldingFlags } from "../../layers/4-compaction/folding/settings.ts";
import { compactionFlags } from "../../layers/4-compaction/settings.ts";
import { memoryFlags } from "../../layers/5-memory/settings.ts";
import { dreamFlags } from "../../layers/6-dream/settings.ts";
import { agentFlags } from "../../layers/7-agents/settings.ts";
import { checkValue } from "../../settings/check-value.ts";
import { schemaOfFlags } from "../../settings/flag.ts";
import type { FlagName, FlagValues } from "../../spec/index.ts";
import { prefixFlags } from "../../view/prefix/settings.ts";

/** Every flag there is, each declared beside the part that it turns on or off. */
export const flagTable = {
  ...toolResultFlags,
  ...microcompactFlags,
  ...sessionNotesFlags,
  ...compactionFlags,
  ...foldingFlags,
  ...memoryFlags,
  ...dreamFlags,
  ...prefixFlags,
  ...agentFlags,
};

export const flagNames: readonly FlagName[] = Object.keys(flagTable).filter(isFlagName);

export function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(flagTable, name);
}

/** The flags of a settings file. */
export const flagsSchema: GenericSchema<Partial<FlagValues>> = schemaOfFlags(flagTable);

/**
 * Names flags, separated by commas or blanks, that are off whatever anybody else says. Heard from the environment and
 * from a provider, never from a settings file: those rank below everything a kill switch is there to overrule.
 */
export const killSwitchesFlag = "kill-switches";

/** An answer for one flag. */
export type FlagAnswer =
  | { readonly answer: "given"; readonly value: unknown }
  /** Whoever was asked does not know the flag. */
  | { readonly answer: "absent" }
  | { readonly answer: "failed"; readonly reason: string };

/** The value in the answer if the flag can have it; the reason why not otherwise. */
export function checkFlag(name: FlagName, given: unknown): FlagAnswer {
  const { value, problems } = checkValue<unknown>(given, flagTable[name].schema);
  const [first] = problems;
  if (first === undefined) return { answer: "given", value };
  const place = first.path === "" ? "" : `${first.path}: `;
  return { answer: "failed", reason: `${place}${first.problem}` };
}
