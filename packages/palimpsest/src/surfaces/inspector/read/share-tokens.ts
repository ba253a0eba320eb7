/**
 * Splits a whole number of tokens by weights: whole numbers that add up to it exactly. Where nothing weighs anything,
 * the last has all of it.
 */
export function shareTokens(total: number, weights: readonly number[]): readonly number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum <= 0) return weights.map((_, at) => (at === weights.length - 1 ? total : 0));
  const exact = weights.map((weight) => (total * weight) / sum);
  const shares = exact.map(Math.floor);
  const missing = total - shares.reduce((all, share) => all + share, 0);
  const byRest = exact
    .map((value, at) => ({ at, rest: value - Math.floor(value) }))
    .sort((one, other) => other.rest - one.rest || one.at - other.at);
  for (const { at } of byRest.slice(0, missing)) shares[at] = (shares[at] as number) + 1;
  return shares;
}
