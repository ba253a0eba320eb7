/** The day it is for a person, as `2026-01-31`. Without a time zone: that of the machine. */
export function toLocalDay(ms: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("en-CA", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    calendar: "gregory",
    numberingSystem: "latn",
    ...(timeZone !== undefined && { timeZone }),
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}
