import {
  type BlobRef,
  type BlobStore,
  type Entry,
  fail,
  type HeadPart,
  type LogStore,
  type LostBlob,
  ok,
  type Result,
  type SessionHeader,
} from "../spec/index.ts";
import { emptyValueOf } from "./codec.ts";

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

/** A blob that an entry stands on. */
interface BlobReference {
  readonly blob: string;
  /** Absent where the entry does not say. */
  readonly bytes?: number;
  /** For a person: what it is, and whose. */
  readonly what: string;
  /** It is part of what requests begin with, which a fork keeps with its session. */
  readonly isHead: boolean;
}

const headParts: Readonly<Record<HeadPart | "context", string>> = {
  system: "the system prompt",
  tools: "the tools",
  fields: "the request fields",
  flags: "the flags",
  context: "the context blocks",
};

/** The blobs that an entry stands on; values that the entry carries itself need none. */
function blobReferences(entry: Entry): readonly BlobReference[] {
  if (entry.kind === "session") return headReferences(entry.session);
  if (entry.kind === "note" && entry.note.topic === "head") return headReferences(entry.note);
  const values = (entry.blobs ?? []).flatMap(({ path }) => {
    const ref = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)?.[part], entry);
    return isReference(ref)
      ? { ...sizeOf(ref), what: `${path.join(".")} of ${entry.id}`, isHead: false }
      : [];
  });
  if (entry.kind !== "decision" || entry.decision.type !== "offload") return values;
  const { results, blocks = [] } = entry.decision;
  const stored = [
    ...results.map(({ blob, toolUseId }) => ({ blob, what: `the result of ${toolUseId}` })),
    ...blocks.map(({ blob, entry: id, block, lastBlock = block }) => ({
      blob,
      what: lastBlock > block ? `blocks ${block} to ${lastBlock} of ${id}` : `block ${block} of ${id}`,
    })),
  ];
  return [
    ...values,
    ...stored.flatMap(({ blob, what }) => (blob === undefined ? [] : { blob, what, isHead: false })),
  ];
}

function headReferences(head: Partial<SessionHeader>): readonly BlobReference[] {
  return Object.entries(headParts).flatMap(([part, what]) => {
    const ref = head[part as HeadPart | "context"];
    return isReference(ref) && ref.text === undefined ? { ...sizeOf(ref), what, isHead: true } : [];
  });
}

function isReference(value: unknown): value is BlobRef {
  return typeof (value as BlobRef | undefined)?.blob === "string";
}

function sizeOf({ blob, bytes }: BlobRef): Pick<BlobReference, "blob" | "bytes"> {
  return { blob, bytes };
}
