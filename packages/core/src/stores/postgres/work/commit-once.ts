import { ok, type Result } from "../../../spec/index.ts";
import type { Database, Run } from "../database.ts";

/**
 * A transaction whose answer may be lost: sent again it asks the server whether it was committed, and then does nothing
 * and answers as the first time. So it needs nothing in the rows to be known by.
 */
export async function commitOnce<T>(
  database: Database,
  work: (run: Run) => Promise<Result<T>>,
): Promise<Result<T>> {
  let before: { readonly transaction: string; readonly value: T } | null = null;
  return database.transaction(
    async (run) => {
      if (before !== null && (await isCommitted(run, before.transaction))) return ok(before.value);
      const done = await work(run);
      if (!done.ok) return done;
      const { rows } = await run<{ readonly id: string }>("select pg_current_xact_id()::text as id");
      before = { transaction: rows[0]?.id ?? "", value: done.value };
      return done;
    },
    { isRepeatable: true },
  );
}

/** The server may still be about to commit, or hold the connection for open: that is waited for, a second at most. */
async function isCommitted(run: Run, transaction: string): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const sql = "select pg_xact_status($1::text::xid8) as status, pg_sleep($2)";
    const { rows } = await run<{ readonly status: string | null }>(sql, [transaction, looks > 1 ? 0.02 : 0]);
    const status = rows[0]?.status;
    if (status !== "in progress" || looks === 50) return status === "committed";
  }
}
