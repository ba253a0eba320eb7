const full = "█";
const empty = "·";
const mark = "┊";

export interface MeterScale {
  readonly columns: number;
  /** What the whole meter stands for. */
  readonly tokens: number;
  readonly windowTokens: number;
}

/** A bar of exactly so many columns, with a mark where the window ends. */
export function meter(tokens: number, scale: MeterScale): string {
  const place = (count: number) => Math.round((Math.min(count, scale.tokens) / scale.tokens) * scale.columns);
  const filled = tokens > 0 ? Math.max(1, place(tokens)) : 0;
  const end = Math.min(scale.columns - 1, place(scale.windowTokens));
  return Array.from({ length: scale.columns }, (_, at) => {
    if (at === end) return mark;
    return at < filled ? full : empty;
  }).join("");
}
