import { type BlobStore, fail, type LogStore, type LostBlob, ok, type Result } from "../spec/index.ts";
import { type BlobReference, blobReferences } from "./blob-references.ts";
import { emptyValueOf } from "./empty-values.ts";

export interface LostBlobsOptions {
  readonly logs: Pick<LogStore, "scan" | "list" | "sizes">;
  readonly blobs: BlobStore;
  readonly session: string;
  /** Put back what is found elsewhere. */
  readonly mends: boolean;
  readonly signal?: AbortSignal;
}

/**
 * The blobs that a session's log stands on and that are lost, damaged or cannot be read, in the order of the log. A copy is looked for
 * in the other sessions of the store: a blob is what its hash says, wherever it stands.
 */
export async function lostBlobs(options: LostBlobsOptions): Promise<Result<readonly LostBlob[]>> {
  const { logs, blobs, session, mends, signal } = options;
  const references = new Map<string, BlobReference>();
  const scanned = await logs.scan(
    session,
    (entry) => {
      for (const reference of blobReferences(entry))
        if (!references.has(reference.blob)) references.set(reference.blob, reference);
    },
    { signal },
  );
  if (!scanned.ok) return scanned;
  const lost: LostBlob[] = [];
  let others: readonly string[] | undefined;
  for (const { blob, bytes, what, isHead } of references.values()) {
    if (signal?.aborted) return fail("aborted", "Looking for blobs was aborted.");
    const owner = isHead ? (session.split("/")[0] as string) : session;
    const there = await blobs.get(owner, blob);
    if (there.ok) continue;
    const { code, message: why } = there.error;
    const isUnreadable = code !== "not-found" && code !== "corrupt" && code !== "collected";
    others ??= await otherSessions(logs, owner);
    const copy = await findCopy(blobs, blob, others);
    const put = copy && mends ? await blobs.put(owner, copy.bytes) : ok();
    const size = bytes ?? copy?.bytes.length;
    lost.push({
      blob,
      what,
      why,
      ...(size !== undefined && { bytes: size }),
      ...(isUnreadable && { isUnreadable }),
      ...(copy && { copyIn: copy.from }),
      ...(!put.ok && { notPutBack: put.error.message }),
    });
  }
  return ok(lost);
}

async function findCopy(
  blobs: BlobStore,
  blob: string,
  sessions: readonly string[],
): Promise<{ readonly bytes: Uint8Array; readonly from: string } | undefined> {
  const empty = emptyValueOf(blob);
  if (empty !== undefined) return { bytes: Buffer.from(empty), from: "its hash" };
  for (const session of sessions) {
    const copy = await blobs.get(session, blob);
    if (copy.ok) return { bytes: copy.value, from: `session ${session}` };
  }
  return undefined;
}

async function otherSessions(logs: LostBlobsOptions["logs"], own: string): Promise<readonly string[]> {
  const listed = await (logs.sizes?.() ?? logs.list());
  return listed.ok ? listed.value.map(({ session }) => session).filter((session) => session !== own) : [];
}
