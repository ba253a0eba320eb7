import { mailNumbers, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import {
  type Clock,
  type Disk,
  type Ids,
  type Mail,
  type Mailbox,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import {
  checkReceiver,
  createTurns,
  decideGivingBack,
  decideTaking,
  type MailName,
  type MailSurvey,
  takenName,
} from "../../shared/mailbox.ts";
import { createMailboxFolders, type MailboxFolders, readMail } from "./mail-file.ts";
import { createMailReaders, type MailReaders } from "./mail-readers.ts";
import { createMailSender } from "./send-mail.ts";

/** Unfinished files of senders that died are removed when they are this old. */
export const unfinishedPatienceMs = 60 * 60 * 1000;

export interface FileMailboxOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The project's folder; mail is in `mail/` below it. */
  readonly root: string;
  readonly limits?: Partial<RetentionLimits>;
  /** Whether sent mail survives power loss; true unless said otherwise. */
  readonly durable?: boolean;
}

/**
 * Mailboxes in Maildir form: `tmp/` while a mail is written, `new/` once it is whole, `cur/` with the reader's id when it
 * is taken. A reader is known by its process: what a dead one had goes back to `new/`. Acknowledging removes the file.
 */
export function createFileMailbox(options: FileMailboxOptions): Mailbox & Required<Pick<Mailbox, "release">> {
  const { disk, clock, ids, processes, root, durable = true } = options;
  const limits = { ...mailNumbers, ...options.limits };
  const self = ids.next("reader");
  const folders = createMailboxFolders(disk, root);
  const readers = createMailReaders({ disk, clock, ids, processes, self });
  const parts = { disk, clock, ids, folders, readers, self, limits, durable };
  const sendMail = createMailSender(parts);
  const inTurn = createTurns();
  const swept = new Set<string>();

  const move = async (from: string, to: string): Promise<Result<boolean>> => {
    const moved = await disk.rename(from, to);
    if (moved.ok) return ok(true);
    return moved.error.code === "not-found" ? ok(false) : moved;
  };
  const back = (folder: string, mail: MailName) =>
    move(`${folder}/cur/${takenName(mail, self)}`, `${folder}/new/${mail.name}`);

  /** In order: where another reader was first, that sender is left to it. */
  async function claim(folder: string, chosen: readonly MailName[]): Promise<Result<boolean>> {
    const lost = new Set<string>();
    let hasClaimed = false;
    for (const mail of chosen) {
      if (mail.reader !== undefined || lost.has(mail.lane)) continue;
      const moved = await move(`${folder}/new/${mail.name}`, `${folder}/cur/${takenName(mail, self)}`);
      if (!moved.ok) return moved;
      if (moved.value) hasClaimed = true;
      else lost.add(mail.lane);
    }
    return ok(hasClaimed);
  }

  /** Holds this reader's mail, once it is certain that no earlier mail of a sender is elsewhere. */
  async function hold(folder: string, limit: number): Promise<Result<readonly MailName[]>> {
    const seen = await surveyMailbox(parts, folder);
    if (!seen.ok) return seen;
    const claimed = await claim(folder, decideTaking(seen.value, limit));
    if (!claimed.ok) return claimed;
    const now = claimed.value ? await surveyMailbox(parts, folder) : seen;
    if (!now.ok) return now;
    const waiting = new Set(decideGivingBack(now.value).map(({ name }) => name));
    for (const mail of now.value.mine) {
      const given = waiting.has(mail.name) ? await back(folder, mail) : ok(true);
      if (!given.ok) return given;
    }
    const mine = now.value.mine.filter(({ name }) => !waiting.has(name));
    return ok(decideTaking({ mine, free: [], others: [] }, limit));
  }

  async function sweep(folder: string): Promise<Result<void>> {
    if (swept.has(folder)) return ok();
    swept.add(folder);
    const taken = await folders.list(folder, "cur");
    if (!taken.ok) return taken;
    const unfinished = await disk.list(`${folder}/tmp`);
    for (const name of unfinished.ok ? unfinished.value : []) {
      const stat = await disk.stat(`${folder}/tmp/${name}`);
      const isOld = stat.ok && clock.now() - stat.value.modifiedMs > unfinishedPatienceMs;
      if (isOld) await disk.remove(`${folder}/tmp/${name}`);
    }
    return readers.sweep(folder, new Set(taken.value.flatMap(({ reader }) => reader ?? [])));
  }

  async function take(folder: string, to: string, limit: number): Promise<Result<readonly Mail[]>> {
    const announced = await readers.announce(folder);
    if (!announced.ok) return announced;
    const held = await hold(folder, limit);
    if (!held.ok) return held;
    const mails: Mail[] = [];
    for (const name of held.value) {
      const path = `${folder}/cur/${takenName(name, self)}`;
      const read = await readMail(disk, path, name, { to, nowMs: clock.now(), limits });
      if (!read.ok) return read;
      if (read.value) mails.push(read.value);
    }
    const cleaned = await sweep(folder);
    return cleaned.ok ? ok(mails) : cleaned;
  }

  /** Of a mailbox that nobody has written to there is nothing to do. */
  async function within<T>(
    to: string,
    none: T,
    work: (folder: string) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    const receiver = checkReceiver(to);
    if (!receiver.ok) return receiver;
    const folder = await folders.open(to, false);
    if (!folder.ok) return folder;
    return folder.value === null ? ok(none) : work(folder.value);
  }

  async function ownMails(folder: string): Promise<Result<readonly MailName[]>> {
    const taken = await folders.list(folder, "cur");
    return taken.ok ? ok(taken.value.filter(({ reader }) => reader === self)) : taken;
  }

  return {
    send: (mail) => inTurn(() => sendMail(mail)),
    take: (to, limit) => inTurn(() => within(to, [], (folder) => take(folder, to, limit))),
    acknowledge: (to, acknowledged) =>
      inTurn(() =>
        within(to, undefined, async (folder) => {
          const known = new Set(acknowledged);
          const taken = await folders.list(folder, "cur");
          if (!taken.ok) return taken;
          for (const mail of taken.value.filter(({ id }) => known.has(id))) {
            const removed = await disk.remove(`${folder}/cur/${mail.name},${mail.reader}`);
            if (!removed.ok && removed.error.code !== "not-found") return removed;
          }
          return ok();
        }),
      ),
    release: (to) =>
      inTurn(() =>
        within(to, undefined, async (folder) => {
          const own = await ownMails(folder);
          if (!own.ok) return own;
          for (const mail of own.value) {
            const given = await back(folder, mail);
            if (!given.ok) return given;
          }
          return readers.withdraw(folder);
        }),
      ),
  };
}

interface SurveyParts {
  readonly disk: Disk;
  readonly folders: MailboxFolders;
  readonly readers: MailReaders;
  /** This reader's id. */
  readonly self: string;
}

/**
 * The content of a mailbox. `cur/` is listed before and after `new/`, so that a mail that moves meanwhile is seen. What
 * a dead reader has taken goes back to `new/` first.
 */
async function surveyMailbox(parts: SurveyParts, folder: string): Promise<Result<MailSurvey>> {
  const lists: (readonly MailName[])[] = [];
  for (const part of ["cur", "new", "cur"] as const) {
    const listed = await parts.folders.list(folder, part);
    if (!listed.ok) return listed;
    lists.push(listed.value);
  }
  const [before = [], waiting = [], after = []] = lists;
  const taken = new Map([...before, ...after].map((mail) => [mail.name, mail]));
  const over = await readersOver(parts, folder, [...taken.values()]);
  if (!over.ok) return over;
  const survey = { mine: [] as MailName[], others: [] as MailName[], free: new Map<string, MailName>() };
  for (const mail of waiting) if (!taken.has(mail.name)) survey.free.set(mail.name, mail);
  for (const mail of taken.values()) {
    if (mail.reader === parts.self) survey.mine.push(mail);
    else if (!over.value.has(mail.reader ?? "")) survey.others.push(mail);
    else {
      const { reader, ...free } = mail;
      const back = await parts.disk.rename(
        `${folder}/cur/${mail.name},${reader}`,
        `${folder}/new/${mail.name}`,
      );
      if (!back.ok && back.error.code !== "not-found") return back;
      survey.free.set(mail.name, free);
    }
  }
  return ok({ ...survey, free: [...survey.free.values()] });
}

async function readersOver(
  { readers }: SurveyParts,
  folder: string,
  taken: readonly MailName[],
): Promise<Result<ReadonlySet<string>>> {
  const over = new Set<string>();
  for (const reader of new Set(taken.flatMap((mail) => mail.reader ?? []))) {
    const judged = await readers.isOver(folder, reader);
    if (!judged.ok) return judged;
    if (judged.value) over.add(reader);
  }
  return ok(over);
}
