import { createHash } from "node:crypto";
import {
  type ArchivePiece,
  type ChangingPiece,
  fail,
  ok,
  type Result,
  type StoreArchive,
} from "../../spec/index.ts";
import { describePiece } from "./describe-piece.ts";

/** A piece that is the same in both stores. */
export interface Copied {
  readonly bytes: number;
  readonly wasThere: boolean;
}

/** Copies one piece and reads it back; `null`: the target has one that holds. */
export async function copyPiece(
  from: StoreArchive,
  to: StoreArchive,
  piece: ArchivePiece,
): Promise<Result<Copied | null>> {
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
