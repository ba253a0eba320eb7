/** A table: the first column is left, the others are right. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => escaped(String(cell))).join(" | ")} |`;
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)];
}

export function escaped(text) {
  return text.replace(/[\\`_{}[\]<>|]/g, (sign) => `\\${sign}`).replace(/[\r\n]+/g, " ");
}

/** “met”, “**missed**”, or a dash where there is no goal. */
export function verdict(isMet) {
  if (isMet === null) return "–";
  return isMet ? "met" : "**missed**";
}

/** A number with as many digits as its unit deserves. */
export function amount(value, unit) {
  if (typeof value !== "number" || Number.isNaN(value)) return "–";
  if (unit === "ms") return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
  if (unit === "×") return `× ${value.toFixed(2)}`;
  if (unit === "%") return `${value.toFixed(1)} %`;
  if (unit === "MB") return `${Math.round(value)} MB`;
  if (unit === "count") return String(Math.round(value));
  if (unit === "tokens") return Math.round(value).toLocaleString("en-US");
  return value.toFixed(3);
}

/** Seconds, or minutes and seconds. */
export function duration(ms) {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
