import { ok, type Result } from "../../../spec/index.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

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
