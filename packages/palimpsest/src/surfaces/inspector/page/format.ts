/** 950 · 12.3k · 184k · 1.05M */
export function formatTokens(tokens: number): string {
  const size = Math.abs(tokens);
  if (size < 1000) return String(Math.round(tokens));
  if (size < 99_950) return `${(tokens / 1000).toFixed(1)}k`;
  if (size < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(2)}M`;
}

/** `null` is an unknown price. */
export function formatDollars(dollars: number | null): string {
  if (dollars === null) return "–";
  if (dollars === 0) return "$0";
  return `$${dollars.toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`;
}

export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return "–";
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? "<1 %" : `${Math.round(percent)} %`;
}

/** 2026-11-16 14:05, where the reader is. */
export function formatTime(at: string | number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "–";
  const two = (part: number) => String(part).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

const names: Readonly<Record<string, string>> = { builtInTools: "Built-in tools", mcpTools: "MCP tools" };

/** Turns camelCase into words: `toolResults` is "Tool results". */
export function formatName(name: string): string {
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known !== undefined) return known;
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
