import { decideAdmission, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import { type Clock, type Disk, type Ids, type Mail, ok, type Result } from "../../../spec/index.ts";
import { checkMail, formatMail, formatMailName, laneOf } from "../../shared/mailbox.ts";
import { writeWholeFile } from "../disk/whole-file.ts";
import type { MailboxFolders } from "./mail-file.ts";

export interface SendParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly folders: MailboxFolders;
  readonly limits: RetentionLimits;
  readonly durable: boolean;
}

/** A full mailbox is noticed after this many sends of one process at the latest. */
const countEvery = 64;

interface Receiver {
  /** The last number of each lane that this process has seen or given. */
  readonly last: Map<string, number>;
  /** Mails that waited when they were counted, and those sent since. */
  counted: number;
  sent: number;
}

/** Puts mails into mailboxes: a unique name in `tmp/`, whole and synced, then renamed to `new/`. */
export function createMailSender(parts: SendParts): (mail: Mail) => Promise<Result<void>> {
  const receivers = new Map<string, Receiver>();

  async function look(folder: string): Promise<Result<Receiver>> {
    const receiver = receivers.get(folder) ?? { last: new Map(), counted: 0, sent: 0 };
    const names = new Set<string>();
    for (const part of ["cur", "new", "cur"] as const) {
      const listed = await parts.folders.list(folder, part);
      if (!listed.ok) return listed;
      for (const { name, lane, seq } of listed.value) {
        names.add(name);
        receiver.last.set(lane, Math.max(seq, receiver.last.get(lane) ?? 0));
      }
    }
    receiver.counted = names.size;
    receiver.sent = 0;
    receivers.set(folder, receiver);
    return ok(receiver);
  }

  async function receiverOf(folder: string): Promise<Result<Receiver>> {
    const known = receivers.get(folder);
    const isFresh = known && known.sent < countEvery && known.counted + known.sent < parts.limits.maxWaiting;
    return isFresh ? ok(known) : look(folder);
  }

  return async (mail) => {
    const wrong = checkMail(mail);
    if (wrong) return wrong;
    const size = decideAdmission({ waiting: 0, bytes: formatMail(mail).length, to: mail.to }, parts.limits);
    if (!size.ok) return size;
    const opened = await parts.folders.open(mail.to, true);
    if (!opened.ok) return opened;
    const folder = opened.value as string;
    const receiver = await receiverOf(folder);
    if (!receiver.ok) return receiver;
    const { counted, sent, last } = receiver.value;
    const admitted = decideAdmission({ waiting: counted + sent, bytes: 0, to: mail.to }, parts.limits);
    if (!admitted.ok) return admitted;
    const lane = laneOf(mail.from);
    // Behind what waits, and, as far as clocks go, behind what another process has sent for the same sender.
    const seq = Math.max((last.get(lane) ?? 0) + 1, parts.clock.now());
    last.set(lane, seq);
    receiver.value.sent += 1;
    const name = formatMailName(lane, seq, mail.id);
    return writeWholeFile(parts.disk, `${folder}/new/${name}`, formatMail({ ...mail, seq }), {
      temporary: `${folder}/tmp/${parts.ids.next("tmp")}`,
      durable: parts.durable,
      when: "replace",
    });
  };
}
