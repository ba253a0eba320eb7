import {
  decideAdmission,
  mailNumbers,
  type RetentionLimits,
} from "../../../layers/7-agents/mail/rules/index.ts";
import {
  type Clock,
  type Ids,
  type Mail,
  type Mailbox,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import { checkMail, checkReceiver, createTurns, formatMail } from "../../shared/mailbox.ts";
import type { Database } from "../database.ts";
import { mailWakes, toWakePayload } from "./mail-wakes.ts";
import { formatContent, takeMail } from "./take-mail.ts";

interface PostgresMailboxOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  readonly limits?: Partial<RetentionLimits>;
}

interface MailBatch {
  readonly mails: Mail[];
  readonly done: Promise<Result<readonly Result<void>[]>>;
  bytes: number;
}

/** How often one process clears a mailbox of what nobody needs any more. */
const sweepMs = 60 * 60 * 1000;

/**
 * Mailboxes in tables. A mail is taken by writing the reader's id into its row, and acknowledged by leaving only its
 * head, which keeps it from coming again. A reader is known by its process, and on other machines by its last sign.
 */
export function createPostgresMailbox(options: PostgresMailboxOptions): Required<Mailbox> {
  const { database, project, clock, ids, processes } = options;
  const { schema } = database;
  const limits = { ...mailNumbers, ...options.limits };
  const self = ids.next("reader");
  const parts = { database, project, processes, self, limits };
  const sendMails = createMailSender(parts);
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  const sweptMs = new Map<string, number>();
  /** By receiver: what is to be sent next, while nothing else is to be done behind it. */
  const sendings = new Map<string, MailBatch>();

  /** Work for one receiver is done in the order of the calls. */
  function inTurn<T>(to: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const receiver = checkReceiver(to);
    if (!receiver.ok) return Promise.resolve(receiver);
    sendings.delete(to);
    const turn = turns.get(to) ?? createTurns();
    turns.set(to, turn);
    return turn(work);
  }

  /** Mails that are sent while a statement is under way go into the next one together. */
  async function send(mail: Mail): Promise<Result<void>> {
    const next = sendings.get(mail.to);
    const isRoom = next && next.mails.length < mostTogether.mails && next.bytes < mostTogether.bytes;
    const sending = isRoom ? next : beginSending(mail.to);
    const at = sending.mails.push(mail) - 1;
    sending.bytes += formatContent(mail).length;
    const outcomes = await sending.done;
    return outcomes.ok ? (outcomes.value[at] ?? ok()) : outcomes;
  }

  function beginSending(to: string): MailBatch {
    const mails: Mail[] = [];
    const done = inTurn(to, () => {
      if (sendings.get(to)?.mails === mails) sendings.delete(to);
      return sendMails(to, mails);
    });
    const sending = { mails, done, bytes: 0 };
    sendings.set(to, sending);
    return sending;
  }

  async function take(to: string, limit: number) {
    const taken = await takeMail(parts, to, limit);
    if (!taken.ok || taken.value.length === 0) return taken;
    const nowMs = clock.monotonic();
    const lastMs = sweptMs.get(to);
    if (lastMs !== undefined && nowMs - lastMs < sweepMs) return taken;
    sweptMs.set(to, nowMs);
    const swept = await sweepMail(parts, to);
    return swept.ok ? taken : swept;
  }

  async function change(text: string, values: readonly unknown[]): Promise<Result<void>> {
    const changed = await database.query(text, [project, ...values], { isRepeatable: true });
    return changed.ok ? ok() : changed;
  }

  return {
    async send(mail) {
      const legal = checkSending(mail, limits);
      return legal.ok ? send(mail) : legal;
    },
    take: (to, limit) => inTurn(to, () => take(to, limit)),
    acknowledge: (to, acknowledged) =>
      inTurn(to, () =>
        change(
          `update ${schema}.mail set acknowledged = clock_timestamp(), reader = null, content = ''
           where project = $1 and receiver = $2 and id = any($3::text[])
             and reader is not null and acknowledged is null`,
          [to, acknowledged.filter((id) => !id.includes("\0"))],
        ),
      ),
    release: (to) =>
      inTurn(to, () =>
        change(
          `with given as (
             update ${schema}.mail set reader = null
             where project = $1 and receiver = $2 and reader = $3 and acknowledged is null)
           delete from ${schema}.mail_reader where project = $1 and receiver = $2 and reader = $3`,
          [to, self],
        ),
      ),
    watch(to, wake, signal) {
      mailWakes(database).watch(toWakePayload(schema, project, to), wake, signal);
    },
  };
}

interface SweepParts {
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
async function sweepMail({ database, project, limits }: SweepParts, to: string): Promise<Result<void>> {
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

interface SendParts {
  readonly database: Database;
  readonly project: string;
  readonly limits: RetentionLimits;
}

/** A full mailbox is noticed after this many sends of one process at the latest. */
const countEvery = 64;
/** The most that goes into one statement. */
const mostTogether = { mails: 32, bytes: 1024 * 1024 } as const;

/** Mails that waited when they were counted, and those sent since. */
interface Receiver {
  readonly counted: number;
  sent: number;
}

/** Whether a mail may be sent at all. */
function checkSending(mail: Mail, limits: RetentionLimits): Result<void> {
  const wrong = checkMail(mail);
  if (wrong) return wrong;
  return decideAdmission({ waiting: 0, bytes: formatMail(mail).length, to: mail.to }, limits);
}

/**
 * Puts checked mails into a mailbox, all in one statement; the outcome of each. One that is there, or was acknowledged
 * within the retention, is passed over.
 */
function createMailSender(
  parts: SendParts,
): (to: string, mails: readonly Mail[]) => Promise<Result<readonly Result<void>[]>> {
  const { database, project, limits } = parts;
  const { schema } = database;
  const receivers = new Map<string, Receiver>();

  async function receiverOf(to: string, more: number): Promise<Result<Receiver>> {
    const known = receivers.get(to);
    const isFresh =
      known && known.sent + more <= countEvery && known.counted + known.sent < limits.maxWaiting;
    if (isFresh) return ok(known);
    const found = await database.query<{ waiting: number }>(
      `select count(*) as waiting from ${schema}.mail
       where project = $1 and receiver = $2 and acknowledged is null`,
      [project, to],
      { isRepeatable: true },
    );
    if (!found.ok) return found;
    const receiver = { counted: found.value.rows[0]?.waiting ?? 0, sent: 0 };
    receivers.set(to, receiver);
    return ok(receiver);
  }

  async function isKnown({ id, from, to }: Mail): Promise<Result<boolean>> {
    const found = await database.query(
      `select from ${schema}.mail where project = $1 and receiver = $2 and id = $3 and sender = $4`,
      [project, to, id, from],
      { isRepeatable: true },
    );
    return found.ok ? ok(found.value.count > 0) : found;
  }

  /** How many were new. */
  async function add(to: string, mails: readonly Mail[]): Promise<Result<number>> {
    const [first, ...others] = mails;
    if (!first) return ok(0);
    if (others.length === 0) {
      const values = [project, to, first.from, first.id, formatContent(first)];
      const text = `select ${schema}.send_mail($1, $2, $3, $4, $5) as is_new`;
      const added = await database.query<{ is_new: boolean }>(text, values, { isRepeatable: true });
      return added.ok ? ok(added.value.rows[0]?.is_new ? 1 : 0) : added;
    }
    // All who send to one mailbox hold its lanes in the same order. A sender's own mails stay in theirs.
    const sorted = mails.toSorted((a, b) => (a.from < b.from ? -1 : Number(a.from > b.from)));
    const columns = [sorted.map(({ from }) => from), sorted.map(({ id }) => id), sorted.map(formatContent)];
    const added = await database.query<{ count: number }>(
      `select ${schema}.send_mails($1, $2, $3::text[], $4::text[], $5::bytea[]) as count`,
      [project, to, ...columns],
      { isRepeatable: true },
    );
    return added.ok ? ok(added.value.rows[0]?.count ?? 0) : added;
  }

  return async (to, mails) => {
    const receiver = await receiverOf(to, mails.length);
    if (!receiver.ok) return receiver;
    const { counted, sent } = receiver.value;
    const admitted: Mail[] = [];
    const outcomes: Result<void>[] = [];
    for (const mail of mails) {
      const admission = decideAdmission({ waiting: counted + sent + admitted.length, bytes: 0, to }, limits);
      if (admission.ok) admitted.push(mail);
      const known = admission.ok ? ok(true) : await isKnown(mail);
      outcomes.push(known.ok && known.value ? ok() : admission);
    }
    const added = await add(to, admitted);
    if (!added.ok) return added;
    receiver.value.sent += added.value;
    if (added.value > 0) mailWakes(database).tell(toWakePayload(schema, project, to));
    return ok(outcomes);
  };
}
