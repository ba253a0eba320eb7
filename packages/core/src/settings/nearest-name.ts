/** The known name that was most likely meant; undefined when none is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = withoutSeparators(name);
  const farthest = Math.max(1, Math.floor(wanted.length / 3));
  let nearest: { readonly name: string; readonly steps: number } | undefined;
  for (const candidate of known) {
    const steps = editSteps(wanted, withoutSeparators(candidate), farthest);
    if (steps <= farthest && steps < (nearest?.steps ?? Number.POSITIVE_INFINITY)) {
      nearest = { name: candidate, steps };
    }
  }
  return nearest?.name;
}

/** Says which letter only looks like the one that was meant; nothing where every letter is Latin. */
export function foreignLetterHint(name: string, meant: string): string {
  const [letter] = /(?!\p{Script=Latin})\p{L}/u.exec(name) ?? [];
  if (letter === undefined || /(?!\p{Script=Latin})\p{L}/u.test(meant)) return "";
  const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return ` “${letter}” (U+${code}) is not a Latin letter`;
}

/** `autoCompact`, `auto_compact` and `auto-compact` are one word here. */
function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

/** Letters to add, drop, change or swap with their neighbour; only looked at where the lengths are near. */
function editSteps(from: string, to: string, farthest: number): number {
  if (Math.abs(from.length - to.length) > farthest) return Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
