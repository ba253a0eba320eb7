import {
  type Entry,
  fail,
  ok,
  type Result,
  type SessionEntry,
  type SessionHeader,
  type Store,
} from "@palimpsest/core/spec";

/** One log of a fork and its ancestors, and how its entries are numbered in the whole. */
export interface ChainLink {
  readonly session: string;
  /** The last entry that belongs to the fork, in the log's own numbers. */
  readonly upTo: number;
  /** Added to the log's own numbers. */
  readonly offset: number;
  /** Its first entry; `null` where that is damaged. */
  readonly first: SessionEntry | null;
}

const maxAncestors = 100;

/** The logs that make up a session, its eldest ancestor first; a session that is no fork is its only one. */
export async function forkChain(
  store: Pick<Store, "logs">,
  session: string,
): Promise<Result<readonly ChainLink[]>> {
  const logs: Omit<ChainLink, "offset">[] = [];
  let next: Pick<ChainLink, "session" | "upTo"> | null = { session, upTo: Number.POSITIVE_INFINITY };
  while (next !== null) {
    if (logs.length > maxAncestors) {
      return fail("corrupt", `Session ${session} is its own ancestor.`, { path: session });
    }
    const read: Result<Entry> = await store.logs.read(next.session, 0);
    if (!read.ok && read.error.code !== "corrupt") return parentGone(session, next.session, read);
    const first: SessionEntry | null = read.ok && read.value.kind === "session" ? read.value : null;
    logs.unshift({ ...next, first });
    const parent: SessionHeader["parent"] = first?.session.parent;
    next = parent ? { session: parent.session, upTo: parent.seq } : null;
  }
  return ok(withOffsets(logs));
}

/** A fork's numbers go on behind its parent's; one that begins anew is moved there. */
function withOffsets(logs: readonly Omit<ChainLink, "offset">[]): readonly ChainLink[] {
  let offset = 0;
  let parentSeq = 0;
  return logs.map((log) => {
    if (log.first !== null && log.first.seq <= parentSeq) offset += parentSeq;
    parentSeq = log.upTo;
    return { ...log, offset };
  });
}

/** The first entry of the whole: what the fork says, and what it took over from its ancestors; no parent any more. */
export function mergeFirstEntries(chain: readonly ChainLink[]): SessionEntry | null {
  const entries = chain.flatMap(({ first }) => first ?? []);
  const [eldest] = entries;
  if (eldest === undefined) return null;
  const merged: SessionHeader = Object.assign({}, ...entries.map(({ session }) => session));
  const { parent: _parent, ...session } = merged;
  return { ...eldest, epoch: 1, session };
}

/** An entry as it stands in the whole: numbers go on where the ancestor's end, and one writer wrote it all. */
export function renumber(entry: Entry, offset: number): Entry {
  const moved = { ...entry, seq: entry.seq + offset, epoch: 1 };
  if (moved.kind !== "decision") return moved;
  return { ...moved, decision: { ...moved.decision, basis: moved.decision.basis + offset } };
}

function parentGone(session: string, missing: string, failure: Result<Entry>): Result<never> {
  if (failure.ok || missing === session) return failure as Result<never>;
  const { code, message } = failure.error;
  return fail(code, `Session ${session} was forked from ${missing}, which cannot be read: ${message}`, {
    path: missing,
    fix: "Restore that session from a backup; without it the fork has no beginning.",
    cause: failure.error,
  });
}
