import { type ArchivePiece, fail, ok, type Result, type StoreArchive } from "../../../spec/index.ts";
import { countLines } from "../../shared/blob-size.ts";
import { sessionFileName, toFileName } from "../../shared/layout.ts";
import { isSha256 } from "../../shared/sha256.ts";
import { readChunks, writeBlob } from "../blob-store.ts";
import { type ProjectRows, readTombstone } from "../upkeep/tombstone.ts";
import { logParts, readLogPart, writeLogPart } from "./log-parts.ts";
import { mailPieces, readMailPiece, writeMailPiece } from "./mail-pieces.ts";
import { readVersionPiece, versionPieces, writeVersionPiece } from "./version-pieces.ts";

const repeatable = { isRepeatable: true } as const;

/** The rows of a project as pieces, which have the bytes that files have. */
export function createPostgresArchive(rows: ProjectRows): StoreArchive {
  const { database, project } = rows;
  const { schema } = database;

  async function texts(text: string, values: readonly unknown[]): Promise<Result<readonly string[]>> {
    const found = await database.query<{ text: string }>(text, [project, ...values], repeatable);
    return found.ok ? ok(found.value.rows.map((row) => row.text)) : found;
  }

  async function one(text: string, values: readonly unknown[]): Promise<Result<Uint8Array | null>> {
    const found = await database.query<{ content: Buffer }>(text, [project, ...values], repeatable);
    return found.ok ? ok(found.value.rows[0]?.content ?? null) : found;
  }

  async function change(text: string, values: readonly unknown[]): Promise<Result<void>> {
    const changed = await database.query(text, [project, ...values], repeatable);
    return changed.ok ? ok() : changed;
  }

  async function read(piece: ArchivePiece): Promise<Result<Uint8Array | null>> {
    const checked = checkPiece(piece);
    if (!checked.ok) return checked;
    switch (piece.kind) {
      case "log":
        return readLogPart(rows, piece);
      case "blob":
        return readChunks(rows, piece.session, piece.sha256);
      case "blob-name":
        return one(
          `select convert_to(sha256, 'UTF8') as content from ${schema}.blob_name
           where project = $1 and session = $2 and name = $3`,
          [piece.session, toFileName(piece.name)],
        );
      case "notes":
        return one(`select content from ${schema}.notes_copy where project = $1 and session = $2`, [
          piece.session,
        ]);
      case "tombstone": {
        const tombstone = await readTombstone(rows, piece.session);
        if (!tombstone.ok || tombstone.value === null) return tombstone as Result<null>;
        return ok(Buffer.from(`${JSON.stringify(tombstone.value)}\n`));
      }
      case "version":
        return readVersionPiece(rows, piece);
      case "mail":
        return readMailPiece(rows, piece);
      case "consolidation":
        return one(
          `select convert_to(last_ms::text, 'UTF8') as content from ${schema}.consolidate_lock
           where project = $1 and last_ms is not null`,
          [],
        );
    }
  }

  /** To be called where the piece is not there. */
  function writeNew(
    piece: Exclude<ArchivePiece, { kind: "log" }>,
    content: Uint8Array,
  ): Promise<Result<void>> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    switch (piece.kind) {
      case "blob": {
        const ref = { blob: piece.sha256, bytes: bytes.length, lines: countLines(bytes) };
        return database.transaction(
          async (run) => ok(await writeBlob(run, rows, piece.session, ref, bytes)),
          repeatable,
        );
      }
      case "blob-name":
        return change(
          `insert into ${schema}.blob_name (project, session, name, sha256) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [piece.session, toFileName(piece.name), bytes.toString("utf8")],
        );
      case "notes":
        return change(
          `insert into ${schema}.notes_copy (project, session, content) values ($1, $2, $3)
           on conflict do nothing`,
          [piece.session, bytes],
        );
      case "tombstone":
        return writeTombstone(piece.session, bytes);
      case "version":
        return writeVersionPiece(rows, piece, bytes);
      case "mail":
        return writeMailPiece(rows, piece, bytes);
      case "consolidation":
        return change(
          `insert into ${schema}.consolidate_lock as l (project, last_ms) values ($1, $2)
           on conflict (project) do update set last_ms = excluded.last_ms where l.last_ms is null`,
          [Number(bytes.toString("utf8"))],
        );
    }
  }

  async function writeTombstone(session: string, bytes: Buffer): Promise<Result<void>> {
    const { at, why } = parseTombstone(bytes);
    if (typeof at !== "string" || typeof why !== "string")
      return fail("corrupt", `The tombstone of session ${session} cannot be read.`, { path: session });
    return change(
      `insert into ${schema}.tombstone (project, session, at, why) values ($1, $2, $3, $4) on conflict do nothing`,
      [session, at, Buffer.from(why)],
    );
  }

  return {
    // A parent's name is the beginning of its forks'.
    sessions: () =>
      texts(
        `select session as text from ${schema}.log where project = $1
         union select session from ${schema}.tombstone where project = $1 order by text`,
        [],
      ),

    async piecesOf(session) {
      const pieces: ArchivePiece[] = [];
      for (const kind of ["tombstone", "notes"] as const) {
        const present = await read({ kind, session });
        if (!present.ok) return present;
        if (present.value !== null) pieces.push({ kind, session });
      }
      const ofSession = "where project = $1 and session = $2";
      const hashes = await texts(`select sha256 as text from ${schema}.blob ${ofSession} order by text`, [
        session,
      ]);
      const names = await texts(`select name as text from ${schema}.blob_name ${ofSession} order by text`, [
        session,
      ]);
      const parts = await logParts(rows, session);
      if (!hashes.ok) return hashes;
      if (!names.ok) return names;
      if (!parts.ok) return parts;
      return ok([
        ...pieces,
        ...hashes.value.map((sha256) => ({ kind: "blob", session, sha256 }) as const),
        ...names.value.map((name) => ({ kind: "blob-name", session, name }) as const),
        ...parts.value,
      ]);
    },

    async others() {
      const versions = await versionPieces(rows);
      if (!versions.ok) return versions;
      const mails = await mailPieces(rows);
      if (!mails.ok) return mails;
      const time = await read({ kind: "consolidation" });
      if (!time.ok) return time;
      const consolidation = time.value === null ? [] : [{ kind: "consolidation" } as const];
      return ok([...versions.value, ...mails.value, ...consolidation]);
    },

    read,

    async write(piece, content) {
      if (piece.kind === "log") {
        const checked = checkPiece(piece);
        return checked.ok ? writeLogPart(rows, piece, content) : checked;
      }
      const present = await read(piece);
      if (!present.ok) return present;
      if (present.value === null) return writeNew(piece, content);
      if (Buffer.compare(present.value, content) === 0) return ok();
      return fail("exists", `Something else is there already, as ${piece.kind} of project ${project}.`, {
        fix: "Remove one of the two, or copy into an empty store.",
      });
    },

    async replace(piece, content) {
      const checked = checkPiece(piece);
      if (!checked.ok) return checked;
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
      if (piece.kind === "consolidation")
        return change(`update ${schema}.consolidate_lock set last_ms = $2 where project = $1`, [
          Number(bytes.toString("utf8")),
        ]);
      return change(`update ${schema}.notes_copy set content = $3 where project = $1 and session = $2`, [
        piece.session,
        bytes,
      ]);
    },
  };
}

function checkPiece(piece: ArchivePiece): Result<unknown> {
  if (piece.kind === "blob" && !isSha256(piece.sha256))
    return fail("invalid-input", `${JSON.stringify(piece.sha256)} is not a SHA-256.`);
  return "session" in piece ? sessionFileName(piece.session) : ok();
}

function parseTombstone(bytes: Buffer): { readonly at?: unknown; readonly why?: unknown } {
  try {
    return (JSON.parse(bytes.toString("utf8")) as { at?: unknown; why?: unknown } | null) ?? {};
  } catch {
    return {};
  }
}
