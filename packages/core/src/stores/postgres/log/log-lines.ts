import { fail, ok, type Result } from "../../../spec/index.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { findLog } from "./log-row.ts";
import { isStillThere, placeBehind, readPage, writtenAnew } from "./read-log.ts";

/** The bytes of a log in chunks, up to where it ended when reading began; what is damaged comes as it is. */
export async function* logLines(
  rows: ProjectRows,
  session: string,
  signal?: AbortSignal,
): AsyncGenerator<Result<Uint8Array>> {
  const { database } = rows;
  const log = await findLog(rows, session);
  if (!log.ok) return yield log;
  const { id, bytes } = log.value;
  let told = 0;
  for (let from = 0; from < bytes; ) {
    if (signal?.aborted) return yield fail("aborted", `Reading session ${session} was interrupted.`);
    const page = await readPage(database, log.value, from);
    if (!page.ok) return yield page;
    const chunk = Buffer.concat(page.value.map(({ line }) => line));
    told += chunk.length;
    if (chunk.length > 0) yield ok(chunk);
    // A damaged row may be longer or shorter than the place it has.
    const next = await placeBehind(database, log.value, page.value.at(-1)?.place ?? from);
    if (!next.ok) return yield next;
    from = next.value;
  }
  if (told === bytes) return;
  const isThere = await isStillThere(database, id);
  if (!isThere.ok) yield isThere;
  else if (!isThere.value) yield writtenAnew();
}
