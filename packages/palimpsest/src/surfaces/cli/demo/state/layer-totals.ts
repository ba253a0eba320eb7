import type { LayerEvent } from "../runs/demo-word.ts";

/** What one layer has done so far. */
export interface LayerTotal {
  /** Number and name. */
  readonly name: string;
  readonly times: number;
  readonly frees: number;
}

/** The layers that a replay has, by the ids under which they decide. */
const names: ReadonlyMap<string, string> = new Map([
  ["tool-results", "1 tool results"],
  ["microcompact", "2 microcompact"],
  ["session-notes", "3 session notes"],
  ["folding", "4 folding"],
  ["compaction", "4 compaction"],
]);

export function layerName(layer: string): string {
  return names.get(layer) ?? layer;
}

/** The same layers always, whether they have done something or not; folding only where it has. */
export function layerTotals(events: readonly LayerEvent[]): readonly LayerTotal[] {
  return [...names].flatMap(([layer, name]) => {
    const own = events.filter((event) => event.layer === layer);
    if (own.length === 0 && layer === "folding") return [];
    return [{ name, times: own.length, frees: own.reduce((sum, { frees }) => sum + frees, 0) }];
  });
}
