import type { MailName } from "./mail-names.ts";

/** How old the last sign of a reader is when it is given up whose life cannot be told. */
export const readerPatienceMs = 10 * 60 * 1000;

/** What stands in a mailbox, from one reader's side. */
export interface MailSurvey {
  /** Taken by this reader, or by nobody. */
  readonly mine: readonly MailName[];
  readonly free: readonly MailName[];
  /** Taken by readers that live. */
  readonly others: readonly MailName[];
}

/**
 * Up to `limit` mails: those that this reader has already, then free ones. Each sender's in order and senders in turn; none
 * of a sender of whom another reader has mail.
 */
export function decideTaking({ mine, free, others }: MailSurvey, limit: number): readonly MailName[] {
  const busy = new Set(others.map(({ lane }) => lane));
  const lanes = new Map<string, MailName[]>();
  for (const mail of [...mine, ...free.filter(({ lane }) => !busy.has(lane))]) {
    const lane = lanes.get(mail.lane) ?? [];
    lane.push(mail);
    lanes.set(mail.lane, lane);
  }
  const queues = [...lanes.values()].map((lane) => lane.sort(byNumber));
  const taken: MailName[] = [];
  for (let turn = 0; taken.length < limit; turn += 1) {
    const round = queues.flatMap((queue) => queue[turn] ?? []);
    if (round.length === 0) break;
    taken.push(...round.slice(0, limit - taken.length));
  }
  return taken;
}

/** Those of a reader's mails that must wait, since an earlier one of the same sender is not its own. */
export function decideGivingBack({ mine, free, others }: MailSurvey): readonly MailName[] {
  const lowest = new Map<string, MailName>();
  for (const mail of [...free, ...others]) {
    const known = lowest.get(mail.lane);
    if (!known || byNumber(mail, known) < 0) lowest.set(mail.lane, mail);
  }
  return mine.filter((mail) => {
    const foreign = lowest.get(mail.lane);
    return foreign !== undefined && byNumber(foreign, mail) < 0;
  });
}

function byNumber(one: MailName, other: MailName): number {
  return one.seq - other.seq || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
}
