import { type ForkKind, ok, type Result, type SessionHeader } from "../spec/index.ts";
import { createForkLog, rootOf } from "./fork-log.ts";
import { createOpening } from "./opening.ts";
import { openSessionLog } from "./session-log.ts";
import type { SessionParts } from "./session-parts.ts";
import { stateHead } from "./state-head.ts";

export interface ForkPoint {
  readonly parts: SessionParts;
  readonly kind: ForkKind;
  /** The parent's header: system, tools and fields are named, not copied. */
  readonly header: SessionHeader;
}

/**
 * What a fork is made of: the very head, settings and prices of its parent, a view built from the parent's log as it
 * stands now, and a log of its own that goes on with the parent's numbers. It cannot fork in turn.
 */
export async function openFork({ parts, kind, header }: ForkPoint): Promise<Result<SessionParts>> {
  const { store, state, ids } = parts;
  const id = `${rootOf(parts.id)}/${ids.next("fork")}`;
  const { lastSeq: seq } = state;
  const prefixDigest = state.prefixDigest(state.items.length);
  const opening = createOpening({
    pricesOf: (model = parts.head.model) => parts.config.catalog.prices(model).value,
  });
  for await (const entry of parts.log.readAfter(0, () => false)) {
    if (!entry.ok) return entry;
    if (entry.value.seq > seq) break;
    opening.visit(entry.value);
  }
  const first = {
    kind: "session",
    session: { ...header, id, parent: { session: parts.id, seq, prefixDigest } },
  } as const;
  const own = await openSessionLog({
    store,
    session: id,
    first,
    afterSeq: seq,
    isReadOnly: false,
    durability: parts.durability,
    visit: opening.visit,
  });
  if (!own.ok) return own;
  const log = createForkLog(parts.log, seq, own.value);
  const read = await opening.finish(log);
  if (!read.ok) {
    await log.close();
    return read;
  }
  const { system, tools } = parts.head;
  read.value.begin(stateHead(system, tools));
  const { loop: _loop, ...shared } = parts;
  return ok({ ...shared, id, source: kind, state: read.value, log });
}
