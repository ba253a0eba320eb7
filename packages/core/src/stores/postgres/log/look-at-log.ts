import { formatVersion } from "../../../log/codec.ts";
import { type Entry, type EntryPlace, type LogReport, ok, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../files/layout.ts";
import { absentSession, type ProjectRows } from "../upkeep/tombstone.ts";
import { advanceListing, encodeListing, type ListingState } from "./listing-state.ts";
import type { DescribedLog } from "./log-row.ts";
import { type EntryRow, pageBytes, readLog } from "./read-log.ts";

/** A log and all its entries, as they were at one moment; it is whole, and its row describes it as it is. */
export interface SoundLog {
  readonly log: DescribedLog;
  readonly entries: readonly { readonly entry: Entry; readonly place: EntryPlace }[];
  readonly report: LogReport;
  readonly listing: ListingState;
}

type SeenRow = (DescribedLog & { readonly place: null }) | (EntryRow & { readonly id: null });

/**
 * Looks at a log before anybody has its lease: `null` where it is too long for that, or where anything about it needs
 * more than a look. `not-found` or `collected` where there is none.
 */
export async function lookAtLog(rows: ProjectRows, session: string): Promise<Result<SoundLog | null>> {
  const { database, project } = rows;
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const found = await database.query<SeenRow>(
    `select * from ${database.schema}.look_at_log($1, $2, $3)`,
    [project, session, pageBytes],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const log = found.value.rows.find((row) => row.id !== null);
  if (!log) return absentSession(rows, session);
  if (log.bytes > pageBytes || log.format > formatVersion || log.damaged_lines > 0) return ok(null);
  return judge(
    log,
    found.value.rows.filter((row) => row.id === null),
    database.schema,
  );
}

async function judge(
  log: DescribedLog,
  rows: readonly EntryRow[],
  schema: string,
): Promise<Result<SoundLog | null>> {
  const source = { schema, query: async () => ok({ rows: rows as never[], count: rows.length }) };
  const entries: SoundLog["entries"][number][] = [];
  let listing: ListingState = {};
  let hasDamage = false;
  const judged = await readLog(
    source,
    log,
    (entry, place) => {
      listing = advanceListing(listing, entry, entries.length === 0);
      entries.push({ entry, place });
    },
    {
      onDamage: () => {
        hasDamage = true;
      },
    },
  );
  if (!judged.ok) return judged;
  const report = { ...judged.value.report(), lastSeq: log.last_seq };
  const isSound = !hasDamage && entries.length > 0 && report.version <= formatVersion;
  const isDescribed = log.listing.equals(encodeListing(listing));
  return ok(isSound && isDescribed ? { log, entries, report, listing } : null);
}
