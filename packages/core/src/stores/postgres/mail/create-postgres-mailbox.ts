import { mailNumbers, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import {
  type Clock,
  type Ids,
  type Mail,
  type Mailbox,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import { checkReceiver, createTurns } from "../../files/mailbox/mailbox.ts";
import type { Database } from "../database.ts";
import { mailWakes, toWakePayload } from "./mail-wakes.ts";
import { checkSending, createMailSender, mostTogether } from "./send-mail.ts";
import { sweepMail } from "./sweep-mail.ts";
import { formatContent, takeMail } from "./take-mail.ts";

export interface PostgresMailboxOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  readonly limits?: Partial<RetentionLimits>;
}

interface Sending {
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
  const sendings = new Map<string, Sending>();

  /** What is done for one receiver is done in the order of the calls. */
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

  function beginSending(to: string): Sending {
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
