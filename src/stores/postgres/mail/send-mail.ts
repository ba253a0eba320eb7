import { decideAdmission, type RetentionLimits } from "../../../context/mail/index.ts";
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

/** Mails that waited when they were counted, and those sent since. */
interface Receiver {
  readonly counted: number;
  sent: number;
}

/** Puts mails into mailboxes. One that is there, or was acknowledged within the retention, is passed over. */
export function createMailSender(parts: SendParts): (mail: Mail) => Promise<Result<void>> {
  const { database, project, limits } = parts;
  const { schema } = database;
  const receivers = new Map<string, Receiver>();
  const text = `select ${schema}.send_mail($1, $2, $3, $4, $5) as is_new`;

  async function receiverOf(to: string): Promise<Result<Receiver>> {
    const known = receivers.get(to);
    if (known && known.sent < countEvery && known.counted + known.sent < limits.maxWaiting) return ok(known);
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

  return async (mail) => {
    const wrong = checkMail(mail);
    if (wrong) return wrong;
    const { id, from, to } = mail;
    const size = decideAdmission({ waiting: 0, bytes: formatMail(mail).length, to }, limits);
    if (!size.ok) return size;
    const receiver = await receiverOf(to);
    if (!receiver.ok) return receiver;
    const { counted, sent } = receiver.value;
    const admitted = decideAdmission({ waiting: counted + sent, bytes: 0, to }, limits);
    if (!admitted.ok) {
      const known = await isKnown(mail);
      return known.ok && known.value ? ok() : admitted;
    }
    const values = [project, to, from, id, formatContent(mail)];
    const added = await database.query<{ is_new: boolean }>(text, values, { isRepeatable: true });
    if (!added.ok) return added;
    if (added.value.rows[0]?.is_new !== true) return ok();
    receiver.value.sent += 1;
    mailWakes(database).tell(toWakePayload(schema, project, to));
    return ok();
  };
}
