import type { Place, Places } from "./find-places.ts";

/** What to put where, in the units of a file. */
export interface UnitChange extends Place {
  readonly units: string;
}

/**
 * The smallest change that turns the old text at a place into the new one: what both begin and end with stays, its line
 * ends among it. New line ends are as those at the place.
 */
export function replacementAt(
  file: string,
  found: Places,
  place: Place,
  oldUnits: string,
  newUnits: string,
): UnitChange {
  if (!found.isFolded) return { ...place, units: newUnits };
  const newline = newlineAt(file, place);
  const oldFolded = oldUnits.replaceAll("\r\n", "\n");
  const newFolded = newline === "\r\n" ? newUnits.replaceAll("\r\n", "\n") : newUnits;
  if (newFolded.includes("\r")) return { ...place, units: newUnits };
  const shorter = Math.min(oldFolded.length, newFolded.length);
  let head = 0;
  while (head < shorter && oldFolded[head] === newFolded[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && oldFolded.at(-1 - tail) === newFolded.at(-1 - tail)) tail += 1;
  return {
    start: found.within(place, head),
    end: found.within(place, oldFolded.length - tail),
    units: newFolded.slice(head, newFolded.length - tail).replaceAll("\n", newline),
  };
}

/** The first line end inside the place, else the next one behind it, else the last one before it. */
function newlineAt(file: string, { start, end }: Place): "\n" | "\r\n" {
  const next = file.indexOf("\n", start);
  const at = next !== -1 ? next : file.lastIndexOf("\n", Math.max(0, end - 1));
  return at > 0 && file[at - 1] === "\r" ? "\r\n" : "\n";
}
