import type { HeaderReader } from "./read-failure.ts";

/**
 * How long a server wants to be left alone, from `retry-after-ms` or `retry-after` in seconds or as a date. A date is
 * taken against the server's own `date`, so that no clock has to agree; without one against `nowMs`.
 */
export function retryAfterMs(header: HeaderReader, nowMs?: number): number | undefined {
  const milliseconds = toNumber(header("retry-after-ms"));
  if (milliseconds !== undefined) return Math.max(0, milliseconds);
  const text = header("retry-after");
  const seconds = toNumber(text);
  if (seconds !== undefined) return Math.max(0, seconds * 1_000);
  const untilMs = toTime(text);
  const fromMs = toTime(header("date")) ?? nowMs;
  return untilMs === undefined || fromMs === undefined ? undefined : Math.max(0, untilMs - fromMs);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function toTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
