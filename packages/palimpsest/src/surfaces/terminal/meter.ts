const full = "█";
const empty = "·";
const rest = "░";
const mark = "┊";

interface MeterScale {
  readonly columns: number;
  /** The tokens of the whole meter. */
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

/** So many of the cells filled. */
export function filledBar(filled: number, cells: number): string {
  return full.repeat(filled) + rest.repeat(cells - filled);
}

const progressCells = 24;

/** A bar, what is counted and how far it is. */
export function progressBar(what: string, done: number, all: number): string {
  const filled = all === 0 ? progressCells : Math.floor((Math.min(done, all) / all) * progressCells);
  return `${what} ${filledBar(filled, progressCells)} ${done}/${all}`;
}
