import { fail, type NotesCopies, ok, type Result } from "../../spec/index.ts";
import { createLayout } from "../shared/layout.ts";
import type { Database } from "./database.ts";

interface PostgresNotesCopies extends NotesCopies {
  /** The text behind the address; `not-found` where the session has no notes. */
  read(session: string): Promise<Result<string>>;
}

interface PostgresNotesCopiesOptions {
  readonly database: Database;
  readonly project: string;
}

/** One row a session, in the table `notes_copy`; its address is `postgres://host/database#project/notes/session`. */
export function createPostgresNotesCopies(options: PostgresNotesCopiesOptions): PostgresNotesCopies {
  const { database, project } = options;
  const { schema } = database;
  const layout = createLayout("", project);
  const addressOf = (session: string) => `${database.address}#${project}/notes/${session}`;
  return {
    async write(session, text) {
      const legal = layout.log(session);
      if (!legal.ok) return legal;
      const written = await database.query(
        `insert into ${schema}.notes_copy (project, session, content) values ($1, $2, $3)
         on conflict (project, session) do update set content = excluded.content, at = now()`,
        [project, session, Buffer.from(text)],
        { isRepeatable: true },
      );
      return written.ok ? ok(addressOf(session)) : written;
    },
    async read(session) {
      const legal = layout.log(session);
      if (!legal.ok) return legal;
      const found = await database.query<{ content: Buffer }>(
        `select content from ${schema}.notes_copy where project = $1 and session = $2`,
        [project, session],
        { isRepeatable: true },
      );
      if (!found.ok) return found;
      const [row] = found.value.rows;
      if (row) return ok(row.content.toString("utf8"));
      return fail("not-found", `${addressOf(session)} does not exist.`, { path: addressOf(session) });
    },
  };
}
