import type { Place } from "./find-places.ts";

const maxNamed = 10;

/** “lines 3, 8 and 12”, for the model. */
export function linesOfPlaces(units: string, places: readonly Place[]): string {
  let line = 1;
  let counted = 0;
  const lines = places.slice(0, maxNamed).map(({ start }) => {
    for (let at = units.indexOf("\n", counted); at !== -1 && at < start; at = units.indexOf("\n", counted)) {
      line += 1;
      counted = at + 1;
    }
    return line;
  });
  const more = places.length > maxNamed ? `, and ${places.length - maxNamed} more` : "";
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
}
