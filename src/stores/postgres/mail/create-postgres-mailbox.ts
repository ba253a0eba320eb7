import { mailNumbers, type RetentionLimits } from "../../../context/mail/index.ts";
import { type Clock, type Ids, type Mailbox, ok, type Processes, type Result } from "../../../spec/index.ts";
import { checkReceiver, createTurns } from "../../files/mailbox/mailbox.ts";
import type { Database } from "../database.ts";
import { mailWakes, toWakePayload } from "./mail-wakes.ts";
import { createMailSender } from "./send-mail.ts";
import { sweepMail } from "./sweep-mail.ts";
import { takeMail } from "./take-mail.ts";

export interface PostgresMailboxOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  readonly limits?: Partial<RetentionLimits>;
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
  const sendMail = createMailSender(parts);
  const turns = new Map<string, ReturnType<typeof createTurns>>();
  const sweptMs = new Map<string, number>();

  /** What is done for one receiver is done in the order of the calls. */
  function inTurn<T>(to: string, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const receiver = checkReceiver(to);
    if (!receiver.ok) return Promise.resolve(receiver);
    const turn = turns.get(to) ?? createTurns();
    turns.set(to, turn);
    return turn(work);
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
    send(mail) {
      const isOdd = !checkReceiver(mail.to).ok;
      return isOdd ? sendMail(mail) : inTurn(mail.to, () => sendMail(mail));
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
