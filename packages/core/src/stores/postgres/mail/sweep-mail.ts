import type { RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { ok, type Result } from "../../../spec/index.ts";
import type { Database } from "../database.ts";

export interface SweepParts {
  readonly database: Database;
  readonly project: string;
  readonly limits: Pick<RetentionLimits, "maxAgeMs">;
}

/** Lanes and readers that nobody has used for this long. */
const unusedMs = 24 * 60 * 60 * 1000;

const earlier = (ms: string) => `clock_timestamp() - ${ms}::float8 * interval '1 millisecond'`;

/**
 * Removes heads of mails that were acknowledged longer ago than mail is kept, readers that hold nothing, and lanes
 * without mail: their next number is over the last one by its time.
 */
export async function sweepMail(
  { database, project, limits }: SweepParts,
  to: string,
): Promise<Result<void>> {
  const { schema } = database;
  const swept = await database.query(
    `with heads as (
       delete from ${schema}.mail where project = $1 and receiver = $2
         and acknowledged < ${earlier("$3")}),
     readers as (
       delete from ${schema}.mail_reader as r where project = $1 and receiver = $2
         and heartbeat < ${earlier("$4")}
         and not exists (select from ${schema}.mail as m
           where m.project = $1 and m.receiver = $2 and m.acknowledged is null and m.reader = r.reader))
     delete from ${schema}.mail_lane as l where project = $1 and receiver = $2
       and last < extract(epoch from clock_timestamp()) * 1000 - $4::float8
       and not exists (select from ${schema}.mail as m
         where m.project = $1 and m.receiver = $2 and m.sender = l.sender
           and (m.acknowledged is null or m.acknowledged >= ${earlier("$3")}))`,
    [project, to, limits.maxAgeMs, unusedMs],
    { isRepeatable: true },
  );
  return swept.ok ? ok() : swept;
}
