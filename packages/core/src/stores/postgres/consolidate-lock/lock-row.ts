import { type ConsolidationHolder, ok, type Result } from "../../../spec/index.ts";
import type { Database } from "../database.ts";

/** The lock of one project as its row says. */
export interface LockRow {
  /** `null`: nobody has it. */
  readonly holder: ConsolidationHolder | null;
  /** By the server's clock. */
  readonly heldForMs: number;
  /** Tokens of the last holders that gave it back. */
  readonly ended: readonly string[];
}

const noRow: LockRow = { holder: null, heldForMs: 0, ended: [] };

interface Found {
  readonly holder: Buffer | null;
  readonly held_for_ms: number | null;
  readonly ended: readonly string[];
}

export async function readLockRow({ schema, query }: Database, project: string): Promise<Result<LockRow>> {
  const found = await query<Found>(
    `select holder, ended,
       (extract(epoch from clock_timestamp() - since) * 1000)::float8 as held_for_ms
     from ${schema}.consolidate_lock where project = $1`,
    [project],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  if (row === undefined) return ok(noRow);
  const holder = row.holder && (JSON.parse(row.holder.toString("utf8")) as ConsolidationHolder);
  return ok({ holder, heldForMs: row.held_for_ms ?? 0, ended: row.ended });
}
