import type { InspectedSession, RequestColumns } from "../inspected.ts";

type From = InspectedSession["from"];

/** The next thing to ask for: what came after what is held. */
export function nextOf(session: InspectedSession): From {
  return {
    request: session.requests.at.length,
    item: session.items.length,
    mark: session.marks.length,
  };
}

/**
 * The held session with what was added to it; `null` where they do not fit together and it must be read from the
 * beginning.
 */
export function mergeSession(held: InspectedSession, grown: InspectedSession): InspectedSession | null {
  const { from } = grown;
  if (from.request === 0 && from.item === 0 && from.mark === 0) return grown;
  const next = nextOf(held);
  const fits =
    grown.id === held.id &&
    grown.generation === held.generation &&
    from.request <= next.request &&
    from.item <= next.item &&
    from.mark <= next.mark &&
    grown.categories.join() === held.categories.join();
  if (!fits) return null;
  return {
    ...grown,
    from: { request: 0, item: 0, mark: 0 },
    requests: mergeColumns(held.requests, grown.requests, from.request),
    items: append(held.items, grown.items, from.item),
    marks: append(held.marks, grown.marks, from.mark),
  };
}

function mergeColumns(held: RequestColumns, grown: RequestColumns, from: number): RequestColumns {
  const both = <Value>(column: (columns: RequestColumns) => readonly Value[]) =>
    append(column(held), column(grown), from);
  return {
    at: both(({ at }) => at),
    seq: both(({ seq }) => seq),
    turn: both(({ turn }) => turn),
    tokens: both(({ tokens }) => tokens),
    byCategory: both(({ byCategory }) => byCategory),
    cacheRead: both(({ cacheRead }) => cacheRead),
    cacheWrite: both(({ cacheWrite }) => cacheWrite),
    uncached: both(({ uncached }) => uncached),
    output: both(({ output }) => output),
    dollars: both(({ dollars }) => dollars),
    breaks: both(({ breaks }) => breaks),
    views: both(({ views }) => views),
  };
}

const append = <Value>(held: readonly Value[], added: readonly Value[], from: number): readonly Value[] => [
  ...held.slice(0, from),
  ...added,
];
