import { createHash } from "node:crypto";
import { isObject, parseJson } from "../../json/json-values.ts";
import { isLogId } from "../../layers/7-agents/mail/rules/index.ts";
import { fail, type Mail, ok, type Result } from "../../spec/index.ts";

/** How old the last sign of a reader is when it is given up whose life cannot be told. */
export const readerPatienceMs = 10 * 60 * 1000;

/** The content of a mailbox, from one reader's side. */
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
  const queues = [...lanes.values()].map((lane) => lane.sort(compareNumbers));
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
    if (!known || compareNumbers(mail, known) < 0) lowest.set(mail.lane, mail);
  }
  return mine.filter((mail) => {
    const foreign = lowest.get(mail.lane);
    return foreign !== undefined && compareNumbers(foreign, mail) < 0;
  });
}

function compareNumbers(one: MailName, other: MailName): number {
  return one.seq - other.seq || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
}

/** Ok where it can have a mailbox. */
export function checkReceiver(to: string): Result<void> {
  if (isLogId(to)) return ok();
  return fail("invalid-input", `${JSON.stringify(to)} cannot have a mailbox.`, {
    path: to,
    fix: "Name a session, or an agent as <session>/<agent>.",
  });
}

/** Why a mail cannot be one; `null` where it can. */
export function checkMail({ id, from, to, at }: Mail): Result<never> | null {
  const odd = !isMailId(id) ? id : [from, to].find((address) => !isLogId(address));
  if (odd !== undefined)
    return fail(
      "invalid-input",
      `${JSON.stringify(odd)} cannot be the id, the sender or the receiver of a mail.`,
      {
        path: odd,
        fix: "Use letters, digits, dots, dashes and underscores; an agent is <session> or <session>/<agent>.",
      },
    );
  if (!Number.isNaN(Date.parse(at))) return null;
  return fail("invalid-input", `${JSON.stringify(at)} is not a time.`, {
    path: "at",
    fix: "Give an ISO time.",
  });
}

export function formatMail(mail: Mail): Uint8Array {
  const { id, from, to, at, seq, body } = mail;
  return Buffer.from(`${JSON.stringify({ v: 1, id, from, to, at, seq, body })}\n`);
}

export function parseMail(text: string, { lane, seq, id }: MailName, to: string): Mail | null {
  const value = parseJson(text);
  if (!isObject(value) || value.v !== 1) return null;
  const { from, at, body = null } = value as Partial<Mail>;
  if (typeof from !== "string" || typeof at !== "string" || laneOf(from) !== lane) return null;
  if (value.id !== id || value.seq !== seq || value.to !== to) return null;
  return { id, from, to, at, seq, body };
}

/** A mail's name: the sender's lane, its number in it, its id, and in `cur/` who has taken it. */
export interface MailName {
  readonly lane: string;
  readonly seq: number;
  readonly id: string;
  /** As it is called in `new/`. */
  readonly name: string;
  /** Absent in `new/`. */
  readonly reader?: string;
}

const part = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}";
const mailName = new RegExp(`^(([0-9a-f]{16})\\.(\\d{15})\\.(${part}))(?:,(${part}))?$`);
const wholePart = new RegExp(`^${part}$`);

const isMailId = (id: string) => wholePart.test(id);

/** The folder of a receiver, and the lane of a sender: hashed, so that every address is a name of its own. */
export const folderNameOf = (address: string) => hash(address).slice(0, 32);
export const laneOf = (address: string) => hash(address).slice(0, 16);

export function formatMailName(lane: string, seq: number, id: string): string {
  return `${lane}.${String(seq).padStart(15, "0")}.${id}`;
}

export const takenName = ({ name }: MailName, reader: string) => `${name},${reader}`;

/** `null` for everything that is not a mail's. */
export function parseMailName(text: string): MailName | null {
  const [, name, lane, seq, id, reader] = mailName.exec(text) ?? [];
  if (name === undefined || lane === undefined || id === undefined) return null;
  return { name, lane, seq: Number(seq), id, ...(reader !== undefined && { reader }) };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** One after the other: the order of calls is the order of what they do. */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
