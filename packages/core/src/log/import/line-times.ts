import type { JsonObject } from "./json-value.ts";

/** Times of lines, from what they say alone. */
export interface LineTimes {
  /** The time a line states, else that of the line before it. */
  of(record: JsonObject): string;
}

export const epochTime = "1970-01-01T00:00:00.000Z";

export function createLineTimes(first: string): LineTimes {
  let last = first;
  return {
    of(record) {
      last = statedTime(record) ?? last;
      return last;
    },
  };
}

const isoWithZone = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** `timestamp` or `at` in ISO 8601 with a zone, or `created` in seconds; anything else would depend on the machine. */
export function statedTime(record: JsonObject): string | undefined {
  const { timestamp, at, created } = record;
  for (const text of [timestamp, at]) {
    if (typeof text === "string" && isoWithZone.test(text)) return toIso(Date.parse(text));
  }
  return typeof created === "number" ? toIso(created * 1000) : undefined;
}

/** The largest moment a `Date` can hold. */
const maxTimeMs = 8.64e15;

function toIso(timeMs: number): string | undefined {
  return Math.abs(timeMs) <= maxTimeMs ? new Date(timeMs).toISOString() : undefined;
}
