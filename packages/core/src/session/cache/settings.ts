import { amount, count, none, toggle } from "../../settings/declare.ts";
import { defaultsOf, readValues } from "../../settings/read-values.ts";
import type { ValuesOf } from "../../settings/setting.ts";
import { fail, ok, type Result, type Settings } from "../../spec/index.ts";
import type { KeepWarmLimits } from "../../view/economics/keep-warm.ts";
import { type CacheTtl, ttlMsOf } from "../../view/economics/request-gaps.ts";

/** Reads that keep the prompt cache warm while nobody asks. */
export const keepWarmSettings = {
  enabled: toggle(
    false,
    "`true`: while a person thinks, the cached prompt is read now and then so that it does not expire; each read is paid for",
  ),
  mostReads: count(12, "most reads in one pause", { isProtecting: true }),
  dollarsPerSession: amount(
    2,
    "most dollars that the reads of a session may cost; no read is made that could exceed them if it missed the cache",
    { isProtecting: true },
  ),
  intervalMinutes: amount(
    none,
    "minutes between reads, less than the lifetime of the cache; default: nine tenths of it",
    { over: 0 },
  ),
};

export type KeepWarmNumbers = ValuesOf<typeof keepWarmSettings>;

export const keepWarmNumbers: KeepWarmNumbers = defaultsOf(keepWarmSettings);

export function keepWarmOf(settings: Settings): KeepWarmNumbers & { readonly intervalMinutes?: number } {
  const { intervalMinutes } = settings.keepWarm ?? {};
  const numbers = readValues(keepWarmSettings, settings.keepWarm);
  return { ...numbers, ...(intervalMinutes !== undefined && { intervalMinutes }) };
}

const minuteMs = 60_000;

/** An entry is read when nine tenths of its lifetime have passed: what is left is for a slow network. */
const intervalShare = 0.9;

/** `null`: the interval that was set is no shorter than that lifetime. */
export function keepWarmLimits(settings: Settings, ttl: CacheTtl): KeepWarmLimits | null {
  const { mostReads, intervalMinutes } = keepWarmOf(settings);
  const intervalMs =
    intervalMinutes === undefined ? ttlMsOf(ttl) * intervalShare : intervalMinutes * minuteMs;
  return intervalMs < ttlMsOf(ttl) ? { mostReads, intervalMs } : null;
}

/**
 * The settings for a cache whose lifetime somebody else chooses: an interval that it does not outlast gives way to the one
 * that is taken where none is set.
 */
export function fittingKeepWarm(settings: Settings, ttl: CacheTtl): NonNullable<Settings["keepWarm"]> {
  const { intervalMinutes, ...numbers } = keepWarmOf(settings);
  const lifeMinutes = ttlMsOf(ttl) / minuteMs;
  const fits = intervalMinutes !== undefined && intervalMinutes < lifeMinutes;
  return { ...numbers, intervalMinutes: fits ? intervalMinutes : lifeMinutes * intervalShare };
}

/** A read that comes when the cache is cold writes all of it: an interval that no lifetime outlasts is an error. */
export function checkKeepWarm(settings: Settings): Result<void> {
  const { intervalMinutes = 0 } = settings.keepWarm ?? {};
  if (!keepWarmOf(settings).enabled) return ok();
  const { cacheTtl = "auto" } = settings;
  const shortest = ttlMsOf(cacheTtl === "1h" ? "1h" : "5m") / minuteMs;
  if (intervalMinutes < shortest) return ok();
  const because =
    cacheTtl === "auto" ? "may be kept for 5 minutes only" : `is kept for ${shortest} minutes only`;
  return fail(
    "invalid-input",
    `keepWarm.intervalMinutes: ${intervalMinutes} minutes are too long: the cache ${because}.`,
    {
      path: "keepWarm.intervalMinutes",
      fix:
        intervalMinutes < 60
          ? "Set “cacheTtl” to “1h”, choose a shorter interval, or leave it out."
          : "Choose a shorter interval, or leave it out.",
    },
  );
}
