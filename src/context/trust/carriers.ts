import type { TaintSource } from "./taint.ts";

/** What stands in the view and is untrusted, the newest first: adding costs the same, however long it is. */
export interface Carriers {
  readonly source: TaintSource;
  readonly seq: number;
  readonly before: Carriers | undefined;
}

export function* carriersOf(carriers: Carriers | undefined): Generator<Carriers> {
  for (let at = carriers; at !== undefined; at = at.before) yield at;
}

/** Those for which `change` gives a source, in the same order. */
export function changedCarriers(
  carriers: Carriers | undefined,
  change: (carrier: Carriers) => TaintSource | null,
): Carriers | undefined {
  let changed: Carriers | undefined;
  for (const carrier of [...carriersOf(carriers)].reverse()) {
    const source = change(carrier);
    if (source !== null) changed = { source, seq: carrier.seq, before: changed };
  }
  return changed;
}
