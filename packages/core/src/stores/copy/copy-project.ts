import { createHash } from "node:crypto";
import {
  type ArchivePiece,
  type ChangingPiece,
  fail,
  type LeaseStore,
  ok,
  type PalimpsestError,
  type Result,
  type StoreArchive,
} from "../../spec/index.ts";

/** A project in one store. */
export interface CopySide {
  readonly archive: StoreArchive;
  readonly leases: LeaseStore;
}

export interface CopyReport {
  readonly sessions: number;
  /** Pieces that are the same in both stores now, by kind. */
  readonly pieces: Readonly<Record<string, number>>;
  readonly bytes: number;
  /** Pieces that were there already. */
  readonly present: number;
  /** Pieces not copied, and why. Running it again goes on there. */
  readonly skipped: readonly { readonly what: string; readonly error: PalimpsestError }[];
}

export interface CopyOptions {
  readonly onPiece?: (piece: ArchivePiece, bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Copies all of a project from one store to another and reads back what was written: each piece has the same hash in
 * both, or is named. Nobody may write a session meanwhile. Interrupted anywhere, it goes on when it is run again, also
 * where the source has grown since. What the target has gone on with by itself stays as it is there.
 */
export async function copyProject(
  from: CopySide,
  to: CopySide,
  options: CopyOptions = {},
): Promise<Result<CopyReport>> {
  const pieces: Record<string, number> = {};
  const skipped: { what: string; error: PalimpsestError }[] = [];
  let bytes = 0;
  let present = 0;
  let copied = 0;

  /** Ends at a part of a log that cannot be copied: what follows stands on what comes before it. */
  async function copyAll(all: readonly ArchivePiece[]): Promise<void> {
    for (const piece of all) {
      if (options.signal?.aborted) return;
      const done = await copyPiece(from.archive, to.archive, piece);
      if (!done.ok) {
        skipped.push({ what: describePiece(piece), error: done.error });
        if (piece.kind === "log") return;
        continue;
      }
      if (done.value === null) continue;
      pieces[piece.kind] = (pieces[piece.kind] ?? 0) + 1;
      bytes += done.value.bytes;
      present += done.value.wasThere ? 1 : 0;
      options.onPiece?.(piece, done.value.bytes);
    }
  }

  const sessions = await from.archive.sessions();
  if (!sessions.ok) return sessions;
  for (const session of sessions.value) {
    if (options.signal?.aborted) break;
    const held = await withBothLeases(from.leases, to.leases, session, async () => {
      const all = await from.archive.piecesOf(session);
      const free = all.ok ? await refuseRemoved(to.archive, session, all.value) : all;
      if (!all.ok || !free.ok) return free as Result<never>;
      // Of notes that differ, those of the longer log are newer: the log is there before them.
      await copyAll([...all.value.filter(({ kind }) => kind !== "notes"), ...all.value.filter(isNotes)]);
      return ok();
    });
    if (held.ok) copied += 1;
    else skipped.push({ what: `session ${session}`, error: held.error });
  }
  const others = await from.archive.others();
  if (!others.ok) return others;
  await copyAll(others.value);
  if (options.signal?.aborted)
    return fail("aborted", "Copying was stopped. Copied data stays.", { fix: "Run it again to continue." });
  return ok({ sessions: copied, pieces, bytes, present, skipped });
}

/** A session that was removed from one side alone is neither removed nor brought back by copying; it is named. */
async function refuseRemoved(
  to: StoreArchive,
  session: string,
  pieces: readonly ArchivePiece[],
): Promise<Result<void>> {
  const isBuried = pieces.some(({ kind }) => kind === "tombstone");
  const hasLog = pieces.some(isLog);
  const buried = await to.read({ kind: "tombstone", session });
  const present = buried.ok && isBuried !== (buried.value !== null) ? await to.piecesOf(session) : ok([]);
  if (!buried.ok || !present.ok) return (buried.ok ? present : buried) as Result<never>;
  const isThere = present.value.some(isLog);
  if (isBuried && !hasLog && isThere)
    return fail("exists", `Session ${session} was removed from the source, and is still in the target.`, {
      path: session,
      fix: "Remove it there too: “palimpsest sessions delete”.",
    });
  if (!isBuried && buried.value !== null && !isThere)
    return fail("collected", `Session ${session} was removed from the target, and is still in the source.`, {
      path: session,
      fix: "Remove it from the source too: “palimpsest sessions delete”.",
    });
  return ok();
}

const isNotes = ({ kind }: ArchivePiece) => kind === "notes";
const isLog = ({ kind }: ArchivePiece) => kind === "log";

async function withBothLeases(
  from: LeaseStore,
  to: LeaseStore,
  session: string,
  work: () => Promise<Result<void>>,
): Promise<Result<void>> {
  const source = await from.acquire(session);
  if (!source.ok) return source;
  try {
    const target = await to.acquire(session);
    if (!target.ok) return target;
    try {
      return await work();
    } finally {
      await target.value.release();
    }
  } finally {
    await source.value.release();
  }
}

/** A piece that is the same in both stores. */
interface CopiedPiece {
  readonly bytes: number;
  readonly wasThere: boolean;
}

/** Copies one piece and reads it back; `null`: the target has one that holds. */
async function copyPiece(
  from: StoreArchive,
  to: StoreArchive,
  piece: ArchivePiece,
): Promise<Result<CopiedPiece | null>> {
  const content = await from.read(piece);
  if (!content.ok) return content;
  if (content.value === null)
    return fail("not-found", `${describePiece(piece)} went away while it was copied.`, {
      fix: "Run it again.",
    });
  const bytes = content.value.length;
  const wanted = sha256Of(content.value);
  const before = await to.read(piece);
  if (!before.ok) return before;
  if (before.value && sha256Of(before.value) === wanted) return ok({ bytes, wasThere: true });
  // Removed on both sides, at two times.
  if (before.value && piece.kind === "tombstone") return ok(null);
  let written: Result<void>;
  if (before.value && isChanging(piece)) {
    const isNewer = await isNewerThan({ from, to, piece }, content.value, before.value);
    if (!isNewer.ok) return isNewer;
    if (!isNewer.value) return ok(null);
    written = await to.replace(piece, content.value);
  } else written = await to.write(piece, content.value);
  if (!written.ok) return written;
  const after = await to.read(piece);
  if (!after.ok) return after;
  if (after.value && sha256Of(after.value) === wanted) return ok({ bytes, wasThere: false });
  return fail("corrupt", `${describePiece(piece)} was read back with other bytes than it was written with.`, {
    fix: "Check the disk of the target, then run it again.",
  });
}

function isChanging(piece: ArchivePiece): piece is ChangingPiece {
  return piece.kind === "notes" || piece.kind === "consolidation";
}

/** Whether the source's is newer than the target's, which differs. */
async function isNewerThan(
  where: { readonly from: StoreArchive; readonly to: StoreArchive; readonly piece: ChangingPiece },
  content: Uint8Array,
  present: Uint8Array,
): Promise<Result<boolean>> {
  const { from, to, piece } = where;
  if (piece.kind === "consolidation") return ok(toNumber(content) > toNumber(present));
  const [own, other] = [await logBytes(from, piece.session), await logBytes(to, piece.session)];
  if (!own.ok) return own;
  return other.ok ? ok(own.value >= other.value) : other;
}

const toNumber = (content: Uint8Array) => Number(Buffer.from(content).toString());

async function logBytes(archive: StoreArchive, session: string): Promise<Result<number>> {
  const pieces = await archive.piecesOf(session);
  if (!pieces.ok) return pieces;
  return ok(pieces.value.reduce((sum, piece) => sum + (piece.kind === "log" ? piece.bytes : 0), 0));
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A piece, for people. */
function describePiece(piece: ArchivePiece): string {
  switch (piece.kind) {
    case "log":
      return `the log of session ${piece.session} from byte ${piece.at} on`;
    case "blob":
      return `blob ${piece.sha256.slice(0, 12)} of session ${piece.session}`;
    case "blob-name":
      return `the name ${piece.name} in session ${piece.session}`;
    case "notes":
      return `the notes of session ${piece.session}`;
    case "tombstone":
      return `the tombstone of session ${piece.session}`;
    case "version":
      return `version ${piece.version} of ${piece.path} in ${piece.tree}`;
    case "mail":
      return `mail ${piece.id} to ${piece.to}`;
    case "consolidation":
      return "when memory was last put in order";
  }
}
