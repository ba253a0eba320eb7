import { fail, type LearnedStore, ok } from "../../spec/index.ts";
import { checkLearnedName, maxLearnedBytes } from "../shared/learned-rules.ts";
import type { Database } from "./database.ts";

/** Learned values are shared by all projects. */
const everyProject = "";

/** One row a name. A write that is sent again counts as made then. */
export function createPostgresLearnedStore({ database }: { readonly database: Database }): LearnedStore {
  const { schema } = database;
  return {
    async read(name) {
      const legal = checkLearnedName(name);
      if (!legal.ok) return legal;
      const found = await database.query<{ value: Buffer }>(
        `select value from ${schema}.learned where project = $1 and name = $2`,
        [everyProject, name],
        { isRepeatable: true },
      );
      if (!found.ok) return found;
      const [row] = found.value.rows;
      if (row === undefined) return ok(undefined);
      try {
        return ok(JSON.parse(row.value.toString("utf8")));
      } catch (cause) {
        const path = `${database.address}#learned/${name}`;
        const message = `${path} is not JSON: the learned values in it are ignored.`;
        return fail("corrupt", message, { path, cause, fix: "Delete the row; it is learned anew." });
      }
    },
    async write(name, value) {
      const legal = checkLearnedName(name);
      if (!legal.ok) return legal;
      const bytes = Buffer.from(JSON.stringify(value));
      if (bytes.length > maxLearnedBytes)
        return fail("too-large", `“${name}” has ${bytes.length} bytes, over ${maxLearnedBytes}.`, {
          path: name,
          fix: "Store fewer learned values.",
          facts: { bytes: bytes.length, maxBytes: maxLearnedBytes },
        });
      const written = await database.query(
        `insert into ${schema}.learned (project, name, value) values ($1, $2, $3)
         on conflict (project, name) do update set value = excluded.value`,
        [everyProject, name, bytes],
        { isRepeatable: true },
      );
      return written.ok ? ok() : written;
    },
  };
}
