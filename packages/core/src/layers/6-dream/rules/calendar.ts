/** A day of the calendar, as its noon in UTC: no hour of any zone moves it. */
export type Day = number;

const dayMs = 24 * 60 * 60 * 1000;

/** The day on which something happened, for people so many minutes ahead of UTC; `undefined` for what is no time. */
export function dayOf(at: string, utcOffsetMinutes = 0): Day | undefined {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return undefined;
  return Math.floor((ms + utcOffsetMinutes * 60_000) / dayMs) * dayMs + dayMs / 2;
}

export function addDays(day: Day, count: number): Day {
  return day + count * dayMs;
}

/** The same day of another month, or its last where it is shorter. */
export function addMonths(day: Day, count: number): Day {
  const date = new Date(day);
  const month = date.getUTCMonth() + count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0, 12));
  return Date.UTC(
    last.getUTCFullYear(),
    last.getUTCMonth(),
    Math.min(date.getUTCDate(), last.getUTCDate()),
    12,
  );
}

/** 0 is Monday. */
export function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function mondayOf(day: Day): Day {
  return addDays(day, -weekdayOf(day));
}

/** `YYYY-MM-DD`, or its first characters. */
export function formatDay(day: Day, precision: "day" | "month" | "year" = "day"): string {
  return new Date(day).toISOString().slice(0, { day: 10, month: 7, year: 4 }[precision]);
}
