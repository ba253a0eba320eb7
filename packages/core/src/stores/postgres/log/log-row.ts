import { ok, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";

/** A log, without its entries. Its id changes when it is written anew. */
export interface LogRow {
  readonly id: number;
  readonly epoch: number;
  readonly last_seq: number;
  readonly bytes: number;
  readonly format: number;
}

/** A log's row together with what it says about its entries. */
export interface DescribedLog extends LogRow {
  readonly listing: Buffer;
  readonly damaged_lines: number;
}

export const logColumns = "id, epoch, last_seq, bytes, format";

/** `not-found` or `collected` where there is none. */
export async function findLog(rows: ProjectRows, session: string): Promise<Result<LogRow>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const { database, project } = rows;
  const found = await database.query<LogRow>(
    `select ${logColumns} from ${database.schema}.log where project = $1 and session = $2`,
    [project, session],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  return row ? ok(row) : absentSession(rows, session);
}
