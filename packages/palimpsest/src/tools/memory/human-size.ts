const units = ["B", "K", "M", "G"];

/** A size for reading: `0B`, `512B`, `1.5K`, `2M`. */
export function humanSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1);
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${units[power]}`;
}
