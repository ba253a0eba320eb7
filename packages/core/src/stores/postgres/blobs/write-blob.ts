import type { BlobRef } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

export const blobChunkBytes = 1024 * 1024;

export interface BlobStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Puts a blob's row and its first chunk where they are not yet, or not as they should be. All of a small one. */
export function blobStatement(
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
