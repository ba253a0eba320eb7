import { longTtlMs, shortTtlMs } from "./request-gaps.ts";

/**
 * `interactive`: a person answers between turns. `unattended`: nobody is waited for. `relayed`: another program's agent asks
 * through the gateway.
 */
export type SessionUse = "interactive" | "unattended" | "relayed";

/** Gaps between requests that outlast the shorter lifetime of a cache, of one kind of use. */
export interface Pauses {
  /** How many there were in each range of `pauseRangesMs`. */
  readonly counts: readonly number[];
  /** How many conversations ended: nobody came back. */
  readonly ends: number;
}

const minute = 60_000;

/** From where to where each range goes. What is longer than the last one counts as it. */
export const pauseRangesMs: readonly (readonly [number, number])[] = [
  [shortTtlMs, 10 * minute],
  [10 * minute, 20 * minute],
  [20 * minute, 30 * minute],
  [30 * minute, longTtlMs],
  [longTtlMs, 120 * minute],
  [120 * minute, 240 * minute],
  [240 * minute, 1_440 * minute],
];

export const noPauses: Pauses = { counts: pauseRangesMs.map(() => 0), ends: 0 };

/**
 * Assumed before any was seen, with the weight of 30 pauses and ends. With a person, as in 35 recorded coding sessions:
 * two pauses within the hour for every longer one or end, half of them under ten minutes. Where nobody is waited for, only
 * a long command makes a pause: one within the hour in five sessions. Of relayed sessions the same as with a person.
 */
const withPerson: Pauses = { counts: [10, 6, 2, 2, 1, 1, 2], ends: 6 };
export const assumedPauses: Readonly<Record<SessionUse, Pauses>> = {
  interactive: withPerson,
  unattended: { counts: [3, 1, 0, 0, 0, 0, 0], ends: 20 },
  relayed: withPerson,
};

/** Older pauses count less: beyond so many, all of them weigh half. */
const maxPauses = 1_000;

/** A gap shorter than any pause changes nothing. */
export function withPause(pauses: Pauses, gapMs: number): Pauses {
  if (gapMs < shortTtlMs) return pauses;
  const range = pauseRangesMs.findIndex(([, to]) => gapMs < to);
  const at = range === -1 ? pauseRangesMs.length - 1 : range;
  const { counts, ends } = faded(pauses);
  return { counts: counts.map((count, index) => (index === at ? count + 1 : count)), ends };
}

export function withEnd(pauses: Pauses): Pauses {
  const { counts, ends } = faded(pauses);
  return { counts, ends: ends + 1 };
}

function faded(pauses: Pauses): Pauses {
  const all = pauses.counts.reduce((sum, count) => sum + count, pauses.ends);
  if (all < maxPauses) return pauses;
  return { counts: pauses.counts.map((count) => count / 2), ends: pauses.ends / 2 };
}

export function addPauses(one: Pauses, other: Pauses): Pauses {
  return {
    counts: one.counts.map((count, at) => count + (other.counts[at] ?? 0)),
    ends: one.ends + other.ends,
  };
}

/** How many pauses had a length from one time on and before another; within a range they are spread evenly. */
export function pausesWithin({ counts }: Pauses, fromMs: number, toMs: number): number {
  return pauseRangesMs.reduce((sum, [start, end], at) => {
    const covered = Math.min(end, toMs) - Math.max(start, fromMs);
    return covered > 0 ? sum + ((counts[at] ?? 0) * covered) / (end - start) : sum;
  }, 0);
}

/** How many lasted at least so long, ends included. */
export function pausesFrom(pauses: Pauses, fromMs: number): number {
  return pauses.ends + pausesWithin(pauses, fromMs, Number.POSITIVE_INFINITY);
}

/** The stored pauses, if they are valid; else nothing was learned. */
export function readPauses(stored: unknown): Readonly<Record<SessionUse, Pauses>> {
  const { version, ...uses } = (stored ?? {}) as Readonly<Record<string, unknown>>;
  const of = (use: SessionUse) => (version === 1 && isPauses(uses[use]) ? uses[use] : noPauses);
  return { interactive: of("interactive"), unattended: of("unattended"), relayed: of("relayed") };
}

function isPauses(value: unknown): value is Pauses {
  const { counts, ends } = (value ?? {}) as Partial<Pauses>;
  const isAmount = (amount: unknown) => typeof amount === "number" && Number.isFinite(amount) && amount >= 0;
  return Array.isArray(counts) && counts.length === pauseRangesMs.length && [...counts, ends].every(isAmount);
}
