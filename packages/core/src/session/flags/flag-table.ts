import { forClearingFlags } from "../../layers/2-microcompact/settings.ts";
import type { FlagName, FlagValues } from "../../spec/index.ts";
import { checkValue } from "../settings/check-value.ts";
import { type Schema, tableOf, toggle, wholeNumber } from "../settings/schema.ts";

export interface FlagRow<Value> {
  readonly default: Value;
  readonly type: Schema;
  readonly description: string;
  /** Its value is part of a session's prefix: resume and forks keep the value the session began with. */
  readonly shapesPrefix: boolean;
}

export type FlagTable = { readonly [Name in FlagName]: FlagRow<FlagValues[Name]> };

/** Every flag there is. */
export const flagTable: FlagTable = {
  "tool-result-limits": {
    default: {},
    type: tableOf(wholeNumber(1)),
    description: "Longest result of a tool in characters, by tool name; longer ones are written to disk.",
    shapesPrefix: true,
  },
  clear: onByDefault("Clears old tool results before requests (micro-compaction)."),
  ...forClearingFlags(({ default: usual, description }) => ({ ...onByDefault(description), default: usual })),
  "session-notes": onByDefault("Keeps notes about the session in the background."),
  "notes-compaction": onByDefault(
    "Compacts with the session notes, without a model call, before more expensive ways.",
  ),
  compact: onByDefault("Compacts: automatically, reactively, by notes, by folding and by hand."),
  "compact-prefix": onByDefault(
    "Asks for the summary after the conversation's own prefix, so that it is read from cache.",
  ),
  "compact-ahead": onByDefault("Prepares a summary in the background before the threshold is reached."),
  "compact-early": offByDefault("Compacts before the threshold when that is expected to save money."),
  "reactive-only": offByDefault("Compacts only after the provider has refused a prompt as too long."),
  snip: {
    ...onByDefault("Removes rounds that nothing refers to, by command or by the model's tool."),
    shapesPrefix: true,
  },
  fold: offByDefault("Replaces finished work by short summaries, instead of automatic compaction."),
  "memory-extraction": onByDefault("Writes memories at the end of a turn."),
  "memory-recall": onByDefault("Attaches relevant memories at the start of a turn."),
  dream: onByDefault("Tidies up the memory folder between sessions."),
  "prefix-guard": onByDefault("Watches the prompt cache and explains each break."),
  "agent-summaries": onByDefault("Describes in a few words what background agents are doing."),
  "read-references": offByDefault(
    "Answers a second read of an unchanged file with a reference to the earlier result, if that is in view.",
  ),
};

export const flagNames = Object.keys(flagTable) as readonly FlagName[];

/**
 * Names flags, separated by commas or blanks, that are off whatever anybody else says. Heard from the environment and
 * from a provider, never from a settings file: those rank below everything a kill switch is there to overrule.
 */
export const killSwitchesFlag = "kill-switches";

function onByDefault(description: string): FlagRow<boolean> {
  return { default: true, type: toggle, description, shapesPrefix: false };
}

function offByDefault(description: string): FlagRow<boolean> {
  return { ...onByDefault(description), default: false };
}

/** An answer for one flag. */
export type FlagAnswer =
  | { readonly answer: "given"; readonly value: unknown }
  /** Whoever was asked does not know the flag. */
  | { readonly answer: "absent" }
  | { readonly answer: "failed"; readonly reason: string };

/** The value in the answer if the flag can have it; the reason why not otherwise. */
export function checkFlag(name: FlagName, given: unknown): FlagAnswer {
  const { value, problems } = checkValue(given, flagTable[name].type);
  const [first] = problems;
  if (first === undefined) return { answer: "given", value };
  const place = first.path === "" ? "" : `${first.path}: `;
  return { answer: "failed", reason: `${place}${first.problem}` };
}
