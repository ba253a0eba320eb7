import type { RetentionLimits } from "../../../context/mail/index.ts";
import { type Mail, ok, type Result } from "../../../spec/index.ts";
import { decideTaking } from "../../files/mailbox/decide-taking.ts";
import { formatMailName, laneOf, parseMailName } from "../../files/mailbox/mail-names.ts";
import { freeMail, type ReaderScene, seeReaders } from "./mail-readers.ts";

export interface TakeParts extends ReaderScene {
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
 * Up to `limit` mails, which are this reader's from here on. Nothing is written where nothing is new, but for a sign of
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
    takingStatement(database.schema),
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

/**
 * Each sender's mails in order and senders in turn, none of a sender of whom another reader has mail. Those
 * that another reader is taking at this moment are passed over, and with them all later ones of the same sender.
 */
function takingStatement(schema: string): string {
  return `with waiting as materialized (
    select id, sender, seq,
      coalesce(bool_or(reader = $3) over lane, false) as is_begun,
      coalesce(bool_or(reader <> $3) over lane, false) as is_busy
    from ${schema}.mail
    where project = $1 and receiver = $2 and acknowledged is null
    window lane as (partition by sender)),
  offered as (
    select id, sender, seq, is_begun, row_number() over (partition by sender order by seq) as turn
    from waiting where not is_busy),
  chosen as materialized (
    select id, sender, seq from offered
    order by turn, is_begun desc, sender limit $4::bigint),
  locked as materialized (
    select m.id, m.sender, m.seq, m.content, m.reader, m.accepted
    from ${schema}.mail as m join chosen using (id, sender)
    where m.project = $1 and m.receiver = $2 and m.acknowledged is null
      and (m.reader is null or m.reader = $3)
    for update of m skip locked),
  lost as (
    select sender, min(seq) as seq from chosen
    where not exists (select from locked where locked.id = chosen.id and locked.sender = chosen.sender)
    group by sender),
  held as materialized (
    select locked.* from locked left join lost using (sender)
    where lost.seq is null or locked.seq < lost.seq),
  claimed as (
    update ${schema}.mail as m set reader = $3 from held
    where m.project = $1 and m.receiver = $2 and m.id = held.id and m.sender = held.sender
      and held.reader is distinct from $3
    returning 1),
  announced as (
    insert into ${schema}.mail_reader as r (project, receiver, reader, identity, heartbeat)
    select $1, $2, $3, $5::bytea, clock_timestamp()
    where exists (select from claimed) or (exists (select from waiting where is_begun) and not exists (
      select from ${schema}.mail_reader
      where project = $1 and receiver = $2 and reader = $3
        and heartbeat > clock_timestamp() - $6::float8 * interval '1 millisecond'))
    on conflict (project, receiver, reader)
      do update set identity = excluded.identity, heartbeat = excluded.heartbeat)
  select id, sender, seq, content,
    floor(extract(epoch from accepted) * 1000)::float8 as accepted_ms,
    (extract(epoch from clock_timestamp() - accepted) * 1000)::float8 as age_ms
  from held`;
}

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
