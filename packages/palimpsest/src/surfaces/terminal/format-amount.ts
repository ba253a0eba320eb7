const byteUnits = ["B", "kB", "MB", "GB", "TB", "PB"] as const;

/** `1.2 MB`, in powers of ten. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${byteUnits[unit]}`;
}

/** `12,345`, the same in every locale. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `1 entry`, `2 entries`. */
export function formatNumber(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `38k`; below a thousand as it is. */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1000)}k`;
}

/** `$0.0123`; from ten dollars on to the cent. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(dollars < 10 ? 4 : 2)}`;
}

/** `$12.86`: sums of whole sessions, one below the other. */
export function formatCents(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

/** `85 %`, never broken. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const ageUnits = [
  [365 * day, "y"],
  [30 * day, "mo"],
  [day, "d"],
  [hour, "h"],
  [minute, "min"],
] as const;

/** `3 h ago`, in one unit; `now` below a minute and for what lies ahead. */
export function formatAge(ageMs: number): string {
  const unit = ageUnits.find(([ms]) => ageMs >= ms);
  return unit === undefined ? "now" : `${Math.floor(ageMs / unit[0])} ${unit[1]} ago`;
}

/** `2 h 38 min`, in at most two units. */
export function formatDuration(durationMs: number): string {
  const rest = Math.max(0, durationMs);
  const days = Math.floor(rest / day);
  const hours = Math.floor((rest % day) / hour);
  const minutes = Math.floor((rest % hour) / minute);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(rest / second)} s`;
}

/** `1.5 s`; from ten seconds on without a fraction. What takes longer than a minute or two has `formatDuration`. */
export function formatSeconds(durationMs: number): string {
  return `${(durationMs / second).toFixed(durationMs < 10 * second ? 1 : 0)} s`;
}

/** `2026-01-05 15:02`, in the time zone of the machine. */
export function formatDate(iso: string): string {
  return `${formatDay(iso)} ${formatClock(iso).slice(0, 5)}`;
}

/** `15:02:01`. */
export function formatClock(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

function formatDay(iso: string): string {
  const date = new Date(iso);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
