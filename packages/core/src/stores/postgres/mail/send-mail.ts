import { decideAdmission, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Mail, ok, type Result } from "../../../spec/index.ts";
import { formatMail } from "../../files/mailbox/mail-file.ts";
import { checkMail } from "../../files/mailbox/send-mail.ts";
import type { Database } from "../database.ts";
import { mailWakes, toWakePayload } from "./mail-wakes.ts";
import { formatContent } from "./take-mail.ts";

export interface SendParts {
  readonly database: Database;
  readonly project: string;
  readonly limits: RetentionLimits;
}

/** A full mailbox is noticed after this many sends of one process at the latest. */
const countEvery = 64;
/** What goes into one statement. */
export const mostTogether = { mails: 32, bytes: 1024 * 1024 } as const;

/** Mails that waited when they were counted, and those sent since. */
interface Receiver {
  readonly counted: number;
  sent: number;
}

/** Whether a mail may be sent at all. */
export function checkSending(mail: Mail, limits: RetentionLimits): Result<void> {
  const wrong = checkMail(mail);
  if (wrong) return wrong;
  return decideAdmission({ waiting: 0, bytes: formatMail(mail).length, to: mail.to }, limits);
}

/**
 * Puts checked mails into a mailbox, all in one statement; the outcome of each. One that is there, or was acknowledged
 * within the retention, is passed over.
 */
export function createMailSender(
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
