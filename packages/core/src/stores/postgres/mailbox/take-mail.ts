import type { RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Mail, ok, type Processes, type ProcessIdentity, type Result } from "../../../spec/index.ts";
import { judgeHolder } from "../../shared/leases.ts";
import {
  decideTaking,
  formatMailName,
  laneOf,
  parseMailName,
  readerPatienceMs,
} from "../../shared/mailbox.ts";
import type { Database } from "../database.ts";

interface TakeParts extends ReaderContext {
  readonly limits: RetentionLimits;
}

interface TakenRow {
  readonly id: string;
  readonly sender: string;
  readonly seq: number;
  readonly content: Buffer;
  /** Both by the server's clock. */
  readonly accepted_ms: number;
  readonly age_ms: number;
}

const mostAtOnce = 1_000_000;
/** How often a reader that holds mail shows that it lives. */
const beatMs = 60 * 1000;

/**
 * Up to `limit` mails, which are this reader's from here on: each sender's in order and senders in turn. Nothing is written where nothing is new, but for a sign of
 * life of a reader that holds mail.
 */
export async function takeMail(
  parts: TakeParts,
  to: string,
  limit: number,
): Promise<Result<readonly Mail[]>> {
  const { database, project, processes, self, limits } = parts;
  const seen = await seeReaders(parts, to);
  if (!seen.ok) return seen;
  if (seen.value.isEmpty) return ok([]);
  const freed = await freeMail(parts, to, seen.value.over);
  if (!freed.ok) return freed;
  const most = limit > 0 ? Math.min(Math.ceil(limit), mostAtOnce) : 0;
  const identity = Buffer.from(JSON.stringify(await processes.self()));
  const taken = await database.query<TakenRow>(
    `select * from ${database.schema}.take_mail($1, $2, $3, $4, $5, $6)`,
    [project, to, self, most, identity, beatMs],
    { isRepeatable: true },
  );
  if (!taken.ok) return taken;
  const mails = new Map(taken.value.rows.map((row) => [nameOf(row), toMail(row, to, limits)]));
  const mine = [...mails.keys()].toSorted().flatMap((name) => parseMailName(name) ?? []);
  const ordered = decideTaking({ mine, free: [], others: [] }, limit);
  return ok(ordered.flatMap(({ name }) => mails.get(name) ?? []));
}

const nameOf = ({ id, sender, seq }: TakenRow) => formatMailName(laneOf(sender), seq, id);

function toMail(row: TakenRow, to: string, limits: RetentionLimits): Mail {
  const { id, sender: from, seq, content, accepted_ms, age_ms } = row;
  const parsed = parseContent(content);
  if (parsed === null) {
    const at = new Date(accepted_ms).toISOString();
    return { id, from, to, at, seq, body: null, dropped: "unreadable" };
  }
  const { at, body } = parsed;
  if (age_ms > limits.maxAgeMs) return { id, from, to, at, seq, body: null, dropped: "expired" };
  return { id, from, to, at, seq, body };
}

export function formatContent({ at, body }: Mail): Buffer {
  return Buffer.from(JSON.stringify({ at, body }));
}

export function parseContent(content: Buffer): Pick<Mail, "at" | "body"> | null {
  try {
    const { at, body = null } = JSON.parse(content.toString("utf8")) as Partial<Mail>;
    return typeof at === "string" ? { at, body } : null;
  } catch {
    return null;
  }
}

interface ReaderContext {
  readonly database: Database;
  readonly project: string;
  readonly processes: Processes;
  /** This reader's id. */
  readonly self: string;
}

/** Mail that waits in a mailbox, by who has it. */
interface SeenReaders {
  readonly isEmpty: boolean;
  /** Readers whose mail may be offered again: their process is dead, or gave no sign for too long. */
  readonly over: readonly string[];
}

interface ReaderRow {
  readonly reader: string | null;
  readonly identity: Buffer | null;
  /** By the server's clock. */
  readonly silent_ms: number | null;
}

/** Who has taken mail of a receiver and not acknowledged it. */
async function seeReaders(context: ReaderContext, to: string): Promise<Result<SeenReaders>> {
  const { database, project, self } = context;
  const { schema } = database;
  const found = await database.query<ReaderRow>(
    `select m.reader, r.identity,
       (extract(epoch from clock_timestamp() - r.heartbeat) * 1000)::float8 as silent_ms
     from (select distinct reader from ${schema}.mail
       where project = $1 and receiver = $2 and acknowledged is null) as m
     left join ${schema}.mail_reader as r on r.project = $1 and r.receiver = $2 and r.reader = m.reader`,
    [project, to],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const over: string[] = [];
  for (const row of found.value.rows) {
    if (row.reader === null || row.reader === self) continue;
    if (await isOver(context, row)) over.push(row.reader);
  }
  return ok({ isEmpty: found.value.rows.length === 0, over });
}

/** Offers again what readers have taken that are over. */
async function freeMail(
  { database, project }: ReaderContext,
  to: string,
  over: readonly string[],
): Promise<Result<void>> {
  if (over.length === 0) return ok();
  const freed = await database.query(
    `update ${database.schema}.mail set reader = null
     where project = $1 and receiver = $2 and reader = any($3::text[]) and acknowledged is null`,
    [project, to, over],
    { isRepeatable: true },
  );
  return freed.ok ? ok() : freed;
}

async function isOver({ processes }: ReaderContext, { identity, silent_ms }: ReaderRow): Promise<boolean> {
  if (identity === null) return true;
  const known = JSON.parse(identity.toString("utf8")) as ProcessIdentity;
  const state = await judgeHolder(known, await processes.self(), processes.look);
  return state === "dead" || (state === "unsure" && (silent_ms ?? 0) > readerPatienceMs);
}
