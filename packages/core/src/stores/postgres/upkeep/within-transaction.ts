import { ok } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import type { ProjectRows } from "./tombstone.ts";

/** The same rows, seen and changed by the transaction of `run`; a statement that fails throws, and ends it. */
export function withinTransaction(rows: ProjectRows, run: Run): ProjectRows {
  return {
    ...rows,
    database: { ...rows.database, query: async (text, values) => ok(await run(text, values)) },
  };
}
