import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../postgres/start-postgres.mjs";
import { closeDatabase, isDatabase } from "./open-store.mjs";

/**
 * A folder and a database for work between the two, one of which is the suite's own store. Where that is a folder, the
 * packaged server is started, and ends with `close`; else a folder is made, which goes then unless it `isKept`.
 */
export async function openBothStores(address) {
  if (isDatabase(address)) {
    const folder = await mkdtemp(join(tmpdir(), "palimpsest-migrations-"));
    const close = async ({ isKept }) => {
      if (!isKept) await rm(folder, { recursive: true, force: true });
    };
    return { folder, url: address, close };
  }
  const server = await startPostgres();
  async function close() {
    await closeDatabase(server.url);
    await server.stop();
  }
  return { folder: join(address, "migrations"), url: server.url, close };
}
