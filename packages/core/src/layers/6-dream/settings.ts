import { isCount } from "../../json/json-values.ts";
import type { Settings } from "../../spec/index.ts";

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
export function dreamNumbersOf({ dream: given = {} }: Pick<Settings, "dream">): DreamNumbers {
  const read = counts.flatMap((name) => (isCount(given[name]) ? [[name, given[name]] as const] : []));
  return { ...dreamNumbers, ...Object.fromEntries(read) };
}
