import type { Facts, Moment, Verdict, View } from "../../spec/index.ts";
import { firstChars } from "../../view/quote-foreign.ts";
import type { DreamLayerPorts } from "./apply.ts";

export type DreamCommand =
  | { readonly kind: "dream" }
  /** A line for the day's log. */
  | { readonly kind: "log"; readonly text: string };

interface DreamSwitches {
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly dream?: { readonly enabled?: boolean; readonly dailyLogs?: boolean };
}

/** Characters of a prompt that a daily log keeps. */
const loggedChars = 200;

/** The first gate, which costs nothing; the others are looked at when it is begun. */
export function decideLayer(
  view: View,
  moment: Moment,
  facts: Facts,
  { hasMemory, isLongLived = true }: Pick<DreamLayerPorts, "hasMemory" | "isLongLived">,
): Verdict<DreamCommand> {
  const { flags, dream } = facts.settings as DreamSwitches;
  if (facts.source !== "main") return skip("a fork does not dream");
  if (!hasMemory) return skip("there is no memory folder");
  if (moment.kind === "turn-end") return decideLog(view, dream?.dailyLogs === true);
  if (flags?.dream === false || dream?.enabled === false) return skip("dreams are off");
  if (!isLongLived) return skip("the session ends with its answer");
  return act({ kind: "dream" }, "memory may have to be put in order", view);
}

function decideLog(view: View, isKept: boolean): Verdict<DreamCommand> {
  if (!isKept) return skip("no daily logs are kept");
  const said = view.ledgers.userMessages.at(-1)?.text.replaceAll(/\s+/g, " ").trim() ?? "";
  if (said === "") return skip("the user has said nothing");
  const text = said.length > loggedChars ? `${firstChars(said, loggedChars)}…` : said;
  return act({ kind: "log", text }, "a daily log is kept", view);
}

function act(command: DreamCommand, reason: string, view: View): Verdict<DreamCommand> {
  return { verdict: "act", command, run: "background", reason, frees: 0, basis: view.head };
}

function skip(reason: string): Verdict<never> {
  return { verdict: "skip", reason };
}

/** Every number that dreams rest on; each can be set under `dream`. */
export interface DreamNumbers {
  /** So long after a consolidation the next one may come, */
  readonly minGapMs: number;
  /** and so many sessions must have been touched since. */
  readonly minSessions: number;
  /** Sessions are looked through no more often than this. */
  readonly scanGapMs: number;
  /** The part of the memories that one dream may remove. */
  readonly maxRemovedPercent: number;
  /** Two memories that share this part of their words are near duplicates. */
  readonly nearPercent: number;
  /** Requests, tokens (cached ones counted) and time that a model may use up in one dream. */
  readonly maxTurns: number;
  readonly maxTokens: number;
  readonly maxMs: number;
}

export const dreamNumbers: DreamNumbers = {
  minGapMs: 24 * 60 * 60 * 1000,
  minSessions: 5,
  scanGapMs: 10 * 60 * 1000,
  maxRemovedPercent: 30,
  nearPercent: 80,
  maxTurns: 60,
  maxTokens: 3_000_000,
  maxMs: 20 * 60 * 1000,
};

const counts = Object.keys(dreamNumbers) as (keyof DreamNumbers)[];

/** Reads what was set. Total: a value that is no count is passed over. */
export function dreamNumbersOf(settings: { readonly dream?: unknown }): DreamNumbers {
  const given = (settings.dream ?? {}) as Readonly<Record<string, unknown>>;
  const read = counts.flatMap((name) => (isCount(given[name]) ? [[name, given[name]] as const] : []));
  return { ...dreamNumbers, ...Object.fromEntries(read) };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
