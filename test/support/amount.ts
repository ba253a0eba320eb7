/** The slow suite tries all of what `npm test` tries a part of: its files are listed in `vitest.slow.config.ts`. */
const isSlowSuite = process.env.PALIMPSEST_SLOW_MINUTES !== undefined;

/** How many of a large number of cases are tried. */
export function amount({ quick, slow }: { readonly quick: number; readonly slow: number }): number {
  return isSlowSuite ? slow : quick;
}

/** As many of the cases as `npm test` has time for, from the first to the last. */
export function spread<Case>(cases: readonly Case[], quick: number): readonly Case[] {
  if (isSlowSuite || cases.length <= quick) return cases;
  const step = (cases.length - 1) / (quick - 1);
  return cases.filter((_case, index) => Math.round(Math.round(index / step) * step) === index);
}
