import { type Entry, ok, type Result, type SessionHeader, type Store } from "../spec/index.ts";
import { openSessionLog, type SessionLog, type SessionLogRequest } from "./session-log.ts";

/**
 * The log of a fork as one: what its parent had when it began, then its own. Nothing is copied, and only its own can be
 * appended to.
 */
export function createForkLog(
  parent: Pick<SessionLog, "readAfter" | "readBlob">,
  parentSeq: number,
  own: SessionLog,
): SessionLog {
  return {
    report: own.report,
    isReadOnly: own.isReadOnly,
    append: own.append,
    close: own.close,
    async readBlob(sha256) {
      const bytes = await own.readBlob(sha256);
      if (bytes.ok || bytes.error.code !== "not-found") return bytes;
      return parent.readBlob(sha256);
    },
    async *readAfter(seq, isNeeded?: (entry: Entry) => boolean) {
      if (seq < parentSeq) {
        for await (const entry of parent.readAfter(seq, isNeeded)) {
          if (entry.ok && entry.value.seq > parentSeq) break;
          yield entry;
          if (!entry.ok) return;
        }
      }
      yield* own.readAfter(Math.max(seq, parentSeq), isNeeded);
    },
  };
}

/** The session that a log belongs to: a fork's id begins with it, and what requests begin with is kept there. */
export function rootOf(session: string): string {
  return session.split("/")[0] as string;
}

/** Opens a log with everything it goes on from: a fork's begins in the log of its parent. */
export async function openWholeLog(request: SessionLogRequest): Promise<Result<SessionLog>> {
  const { store, session, visit } = request;
  const found = request.first || rootOf(session) === session ? ok(undefined) : await parentOf(store, session);
  if (!found.ok) return found;
  const parent = found.value;
  if (!parent) return openSessionLog(request);
  const above = await openWholeLog({
    ...request,
    session: parent.session,
    isReadOnly: true,
    visit: (entry) => {
      if (entry.seq <= parent.seq) visit(entry);
    },
  });
  if (!above.ok) return above;
  const own = await openSessionLog(request);
  return own.ok ? ok(createForkLog(above.value, parent.seq, own.value)) : own;
}

async function parentOf(store: Store, session: string): Promise<Result<SessionHeader["parent"]>> {
  let parent: SessionHeader["parent"];
  const scanned = await store.logs.scan(
    session,
    (entry) => {
      if (entry.kind === "session") ({ parent } = entry.session);
    },
    { limit: 1 },
  );
  return scanned.ok ? ok(parent) : scanned;
}
