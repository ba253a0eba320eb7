import { count, percent, toggle } from "../../settings/declare.ts";
import { onByDefault } from "../../settings/flag.ts";
import { defaultsOf, readValues } from "../../settings/read-values.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import type { Settings } from "../../spec/index.ts";

const dreamNumberSettings = {
  minGapMs: count(24 * 60 * 60 * 1000, "milliseconds from one dream to the next, at least"),
  minSessions: count(5, "sessions that must have changed since the last dream, the current one not counted"),
  scanGapMs: count(10 * 60 * 1000, "milliseconds between two scans of the sessions, at least"),
  maxRemovedPercent: percent(
    30,
    "percent of the memories that one dream may remove; above it the changes wait for your review",
  ),
  nearPercent: percent(80, "percent of shared words that makes two memories near duplicates", 50),
  maxTurns: count(60, "most requests of a model in one dream", { least: 1, isProtecting: true }),
  maxTokens: count(3_000_000, "most tokens of one dream, cached ones counted", {
    least: 1,
    isProtecting: true,
  }),
  maxMs: count(20 * 60 * 1000, "most milliseconds of one dream; the changes made by then are applied", {
    least: 1,
    isProtecting: true,
  }),
};

/** Tidying up memories between sessions. */
export const dreamSettings = {
  enabled: toggle(true, "memories are tidied up between sessions", { flag: "dream" }),
  ...dreamNumberSettings,
  dailyLogs: toggle(
    false,
    "keeps one line per turn in `logs/YYYY/MM/YYYY-MM-DD.md` of the memory folder, for dreams to read",
  ),
};

export const dreamFlags = { dream: onByDefault("Tidies up the memory folder between sessions.") };

/** Every number that dreams rest on. */
export type DreamNumbers = ValuesOf<typeof dreamNumberSettings>;

export const dreamNumbers: DreamNumbers = defaultsOf(dreamNumberSettings);

/** Reads what was set. Total: a value that does not fit is passed over. */
export function dreamNumbersOf({ dream }: Pick<Settings, "dream">): DreamNumbers {
  return readValues(dreamNumberSettings, dream);
}
