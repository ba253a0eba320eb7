/**
 * A collection that can be given away without copying it: `share` costs nothing, and the first change after it works
 * on a copy. What was shared never changes.
 */
export interface CopyOnWrite<Shared, Own extends Shared> {
  readonly value: Shared;
  /** For changing it now; not to be kept. */
  own(): Own;
  share(): Shared;
}

/** Begins with a collection that may belong to somebody else. */
function createCopyOnWrite<Shared, Own extends Shared>(
  start: Shared,
  copy: (shared: Shared) => Own,
): CopyOnWrite<Shared, Own> {
  let shared = start;
  let owned: Own | null = null;
  return {
    get value() {
      return owned ?? shared;
    },
    own() {
      owned ??= copy(shared);
      return owned;
    },
    share() {
      shared = owned ?? shared;
      owned = null;
      return shared;
    },
  };
}

export function sharedList<T>(start: readonly T[]): CopyOnWrite<readonly T[], T[]> {
  return createCopyOnWrite<readonly T[], T[]>(start, (list) => [...list]);
}

export function sharedMap<K, V>(start: ReadonlyMap<K, V>): CopyOnWrite<ReadonlyMap<K, V>, Map<K, V>> {
  return createCopyOnWrite<ReadonlyMap<K, V>, Map<K, V>>(start, (map) => new Map(map));
}
