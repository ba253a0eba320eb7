/**
 * Why something that a call needs is neither in view nor one recall away. `squeezed-out`: an id of it was named once, and
 * no longer is. `never-named`: it left the view, and nothing ever named an id of it. `cleared-unnamed`: something stands
 * in its place that names no id. `changed-since`: its file could be read again, but was written since. `read-again`: no
 * id is named, but calling again gives the same.
 */
export type LossCause = (typeof lossCauses)[number];

export const lossCauses = [
  "squeezed-out",
  "never-named",
  "cleared-unnamed",
  "changed-since",
  "read-again",
] as const;

/** How many were lost, by cause; causes that did not happen are absent. */
export type Losses = Readonly<Partial<Record<LossCause, number>>>;

export function addLosses(one: Losses, other: Losses): Losses {
  const sums = lossCauses.map((cause) => [cause, (one[cause] ?? 0) + (other[cause] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}
