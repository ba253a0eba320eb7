import type { Mail } from "../../../../spec/index.ts";

/** What is new among mails that were taken, and what is known already. */
export interface SettledMail {
  /** In order per sender; senders in the order of their first mail. */
  readonly fresh: readonly Mail[];
  /** Ids that the receiver has: they are only to be acknowledged. */
  readonly known: readonly string[];
}

/** Leaves out what was received before, also twice at once, and puts each sender's mails in order. */
export function settleMail(mails: readonly Mail[], isKnown: (id: string) => boolean): SettledMail {
  const bySender = new Map<string, Mail[]>();
  const seen = new Set<string>();
  const known = new Set<string>();
  for (const mail of mails) {
    if (isKnown(mail.id)) known.add(mail.id);
    if (isKnown(mail.id) || seen.has(mail.id)) continue;
    seen.add(mail.id);
    const lane = bySender.get(mail.from) ?? [];
    lane.push(mail);
    bySender.set(mail.from, lane);
  }
  const fresh = [...bySender.values()].flatMap((lane) =>
    lane.toSorted((one, other) => (one.seq ?? 0) - (other.seq ?? 0)),
  );
  return { fresh, known: [...known] };
}
