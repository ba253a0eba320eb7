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

/** Those that are to be kept, in the same order; the very same where all are. */
export function keptCarriers(
  carriers: Carriers | undefined,
  keep: (carrier: Carriers) => boolean,
): Carriers | undefined {
  let kept: Carriers | undefined;
  for (const carrier of oldestFirst(carriers)) {
    if (!keep(carrier)) continue;
    kept = carrier.before === kept ? carrier : { source: carrier.source, seq: carrier.seq, before: kept };
  }
  return kept;
}

/** All of them, each with the source that `change` gives it. */
export function changedCarriers(
  carriers: Carriers | undefined,
  change: (carrier: Carriers) => TaintSource,
): Carriers | undefined {
  let changed: Carriers | undefined;
  for (const carrier of oldestFirst(carriers))
    changed = { source: change(carrier), seq: carrier.seq, before: changed };
  return changed;
}

function oldestFirst(carriers: Carriers | undefined): readonly Carriers[] {
  const list: Carriers[] = [];
  for (let at = carriers; at !== undefined; at = at.before) list.push(at);
  return list.reverse();
}
