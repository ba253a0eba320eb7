/** `38k`; below a thousand as it is. */
export function formatTokens(tokens: number): string {
  return tokens < 1000 ? String(Math.round(tokens)) : `${Math.round(tokens / 1000)}k`;
}

/** `$12.86`. */
export function formatDollars(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

/** `85 %`, never broken. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`;
}
