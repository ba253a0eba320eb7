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
