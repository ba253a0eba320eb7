import { createHash } from "node:crypto";
import {
  type ArchivePiece,
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
  /** What was not copied, and why. Running it again goes on there. */
  readonly skipped: readonly { readonly what: string; readonly error: PalimpsestError }[];
}

export interface CopyOptions {
  readonly onPiece?: (piece: ArchivePiece, bytes: number) => void;
  readonly signal?: AbortSignal;
}

const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/**
 * Copies all of a project from one store to another and reads back what was written: each piece has the same hash in
 * both, or is named. Nobody may write a session meanwhile. Interrupted anywhere, it goes on when it is run again.
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

  async function copyAll(all: readonly ArchivePiece[]): Promise<void> {
    for (const piece of all) {
      if (options.signal?.aborted) return;
      const done = await copyPiece(from.archive, to.archive, piece);
      if (!done.ok) {
        skipped.push({ what: describePiece(piece), error: done.error });
        // What follows in a log stands on what comes before it.
        if (piece.kind === "log") return;
        continue;
      }
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
    const held = await holdBoth(from.leases, to.leases, session, async () => {
      const all = await from.archive.piecesOf(session);
      if (!all.ok) return all;
      await copyAll(all.value);
      return ok();
    });
    if (held.ok) copied += 1;
    else skipped.push({ what: `session ${session}`, error: held.error });
  }
  const others = await from.archive.others();
  if (!others.ok) return others;
  await copyAll(others.value);
  if (options.signal?.aborted)
    return fail("aborted", "Copying was stopped. What was copied stays.", { fix: "Run it again to go on." });
  return ok({ sessions: copied, pieces, bytes, present, skipped });
}

async function copyPiece(
  from: StoreArchive,
  to: StoreArchive,
  piece: ArchivePiece,
): Promise<Result<{ readonly bytes: number; readonly wasThere: boolean }>> {
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
  const written = await to.write(piece, content.value);
  if (!written.ok) return written;
  const after = await to.read(piece);
  if (!after.ok) return after;
  if (after.value && sha256Of(after.value) === wanted) return ok({ bytes, wasThere: false });
  return fail("corrupt", `${describePiece(piece)} was read back with other bytes than it was written with.`, {
    fix: "Check the disk of the target, then run it again.",
  });
}

async function holdBoth(
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

/** A piece, for people. */
export function describePiece(piece: ArchivePiece): string {
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
