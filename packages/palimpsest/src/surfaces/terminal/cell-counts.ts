/**
 * Divides a number of cells among amounts, in proportion: all of them are given out, and every amount over 0 gets at
 * least one, as long as there are enough. Nothing where all amounts are 0.
 */
export function cellCounts(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (whole === 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / whole) * cells);
  const counts = exact.map((part) => (part > 0 ? Math.max(1, Math.floor(part)) : 0));
  let left = cells - counts.reduce((sum, count) => sum + count, 0);
  const lacking = (index: number) => (exact[index] ?? 0) - (counts[index] ?? 0);
  while (left !== 0) {
    const indices = counts.flatMap((count, index) =>
      (left > 0 ? (exact[index] ?? 0) > 0 : count > 1) ? [index] : [],
    );
    const [first, ...others] = indices;
    if (first === undefined) break;
    const direction = Math.sign(left);
    const next = others.reduce(
      (best, index) => (direction * (lacking(index) - lacking(best)) > 0 ? index : best),
      first,
    );
    counts[next] = (counts[next] ?? 0) + direction;
    left -= direction;
  }
  return counts;
}
