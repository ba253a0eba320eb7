import { type BlobRef, type BlobStore, fail, ok, type Result } from "../../spec/index.ts";
import { countLines, maxBlobBytes } from "../shared/blob-size.ts";
import { sessionFileName, toFileName } from "../shared/layout.ts";
import { isSha256, sha256Of } from "../shared/sha256.ts";
import type { Run } from "./database.ts";
import { type ProjectRows, readTombstone } from "./upkeep/tombstone.ts";

type PostgresBlobStoreOptions = ProjectRows;

const repeatable = { isRepeatable: true } as const;

/**
 * Blobs in pieces, one row each. They appear whole, by their transaction, and survive whatever a commit survives,
 * asked for or not. Putting a damaged one again mends it.
 */
export function createPostgresBlobStore(options: PostgresBlobStoreOptions): BlobStore {
  const { database, project } = options;
  const { schema, address } = database;
  const named = "project = $1 and session = $2 and sha256 = $3";

  async function whyAbsent(session: string, sha256: string): Promise<Result<never>> {
    const tombstone = await readTombstone(options, session);
    if (!tombstone.ok) return tombstone;
    const path = `${session}/${sha256}`;
    if (tombstone.value === null)
      return fail("not-found", `Session ${session} has no blob ${sha256}.`, { path });
    const { at, why } = tombstone.value;
    return fail("collected", `Blob ${sha256} went with its session ${session} on ${at.slice(0, 10)}.`, {
      path,
      fix: "Nothing here can bring it back; look for the session in a backup.",
      facts: { at, why },
    });
  }

  return {
    async put(session, bytes) {
      if (bytes.length > maxBlobBytes) {
        return fail("too-large", `A blob of ${bytes.length} bytes is over the limit of ${maxBlobBytes}.`, {
          facts: { bytes: bytes.length, maxBytes: maxBlobBytes },
        });
      }
      const name = sessionFileName(session);
      if (!name.ok) return name;
      const ref = { blob: sha256Of(bytes), bytes: bytes.length, lines: countLines(bytes) };
      const { text, values } = blobStatement(options, session, ref, bytes);
      const written =
        bytes.length <= blobChunkBytes
          ? await database.query(text, values, repeatable)
          : await database.transaction(
              async (run) => ok(await writeBlob(run, options, session, ref, bytes)),
              repeatable,
            );
      return written.ok ? ok(ref) : written;
    },

    async get(session, sha256) {
      const named = checkNames(session, sha256);
      if (!named.ok) return named;
      const bytes = await readChunks(options, session, sha256);
      if (!bytes.ok) return bytes;
      if (bytes.value === null) return whyAbsent(session, sha256);
      if (sha256Of(bytes.value) === sha256) return ok(bytes.value);
      const path = `${session}/${sha256}`;
      return fail("corrupt", `The bytes of blob ${path} are not those it was stored with.`, {
        path,
        fix: "Restore it from a backup, or put the same content again.",
        facts: { sha256, bytes: bytes.value.length },
      });
    },

    async list(session) {
      const name = sessionFileName(session);
      if (!name.ok) return name;
      const found = await database.query<{ sha256: string }>(
        `select sha256 from ${schema}.blob where project = $1 and session = $2 order by sha256`,
        [project, session],
        repeatable,
      );
      return found.ok ? ok(found.value.rows.map(({ sha256 }) => sha256)) : found;
    },

    async name(session, sha256, name) {
      const checked = checkNames(session, sha256);
      if (!checked.ok) return checked;
      const target = toFileName(name);
      const path = `${address}#${project}/${session}/${target}`;
      const given = await database.query<{ sha256: string }>(
        `insert into ${schema}.blob_name as present (project, session, name, sha256)
         select project, session, $4, sha256 from ${schema}.blob where ${named}
         on conflict (project, session, name) do update set sha256 = present.sha256
         returning sha256`,
        [project, session, sha256, target],
        repeatable,
      );
      if (!given.ok) return given;
      const [row] = given.value.rows;
      if (!row) return whyAbsent(session, sha256);
      if (row.sha256 === sha256) return ok(path);
      return fail("exists", `${path} names other content already.`, { path, fix: "Choose another name." });
    },

    async removeAll(session) {
      const name = sessionFileName(session);
      if (!name.ok) return name;
      const ofSession = "where project = $1 and session = $2";
      const removed = await database.query(
        `with names as (delete from ${schema}.blob_name ${ofSession}),
           chunks as (delete from ${schema}.blob_chunk ${ofSession})
         delete from ${schema}.blob ${ofSession}`,
        [project, session],
        repeatable,
      );
      return removed.ok ? ok() : removed;
    },
  };
}

function checkNames(session: string, sha256: string): Result<string> {
  if (!isSha256(sha256)) {
    return fail("invalid-input", `${JSON.stringify(sha256)} is not a SHA-256.`, {
      fix: "Use the 64 lower-case hexadecimal digits that put gave.",
    });
  }
  return sessionFileName(session);
}

/** How many chunks are asked for at a time. */
const chunksAtOnce = 16;

/** All bytes of a blob as they are stored; `null` if there is no such blob. */
export async function readChunks(
  { database, project }: ProjectRows,
  session: string,
  sha256: string,
): Promise<Result<Uint8Array | null>> {
  const { schema } = database;
  const chunks: Buffer[] = [];
  for (let from = 0; ; from += chunksAtOnce) {
    const found = await database.query<{ content: Buffer | null }>(
      `select chunk.content from ${schema}.blob
       left join ${schema}.blob_chunk chunk on chunk.project = blob.project and chunk.session = blob.session
         and chunk.sha256 = blob.sha256 and chunk.number >= $4 and chunk.number < $5
       where blob.project = $1 and blob.session = $2 and blob.sha256 = $3 order by chunk.number`,
      [project, session, sha256, from, from + chunksAtOnce],
      { isRepeatable: true },
    );
    if (!found.ok) return found;
    // Gone, perhaps while it was being read.
    if (found.value.count === 0) return ok(null);
    for (const { content } of found.value.rows) if (content) chunks.push(content);
    if (found.value.count < chunksAtOnce) return ok(Buffer.concat(chunks));
  }
}

export const blobChunkBytes = 1024 * 1024;

interface BlobStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Puts a blob's row and its first chunk where they are not yet, or not as they should be. All of a small one. */
function blobStatement(
  { database: { schema }, project }: ProjectRows,
  session: string,
  { blob, bytes, lines }: BlobRef,
  content: Uint8Array,
): BlobStatement {
  const key = "project, session, sha256";
  const text = `
    with blob as (
      insert into ${schema}.blob as present (${key}, bytes, lines) values ($1, $2, $3, $4, $5)
      on conflict (${key}) do update set bytes = $4, lines = $5 where (present.bytes, present.lines) <> ($4, $5)
    ), surplus as (
      delete from ${schema}.blob_chunk where project = $1 and session = $2 and sha256 = $3 and number >= $6
    )
    insert into ${schema}.blob_chunk as present (${key}, number, content) values ($1, $2, $3, 0, $7)
    on conflict (${key}, number) do update set content = $7 where present.content <> $7`;
  const chunks = Math.max(1, Math.ceil(content.length / blobChunkBytes));
  return { text, values: [project, session, blob, bytes, lines, chunks, chunkOf(content, 0)] };
}

/** The same for a blob of any size. To be called in a transaction. */
export async function writeBlob(
  run: Run,
  rows: ProjectRows,
  session: string,
  ref: BlobRef,
  content: Uint8Array,
): Promise<void> {
  const { text, values } = blobStatement(rows, session, ref, content);
  await run(text, values);
  for (let number = 1; number * blobChunkBytes < content.length; number += 1) {
    await run(
      `insert into ${rows.database.schema}.blob_chunk as present (project, session, sha256, number, content)
       values ($1, $2, $3, $4, $5)
       on conflict (project, session, sha256, number) do update set content = $5 where present.content <> $5`,
      [rows.project, session, ref.blob, number, chunkOf(content, number)],
    );
  }
}

function chunkOf(content: Uint8Array, number: number): Buffer {
  const chunk = content.subarray(number * blobChunkBytes, (number + 1) * blobChunkBytes);
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
}
