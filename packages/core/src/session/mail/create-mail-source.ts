import {
  checkMessage,
  createMailLedger,
  type Exchanges,
  type MailLedger,
  mailNumbers,
  mailSubtype,
  nextExchanges,
  readMailLine,
  renderDropped,
  renderMail,
  settleMail,
} from "../../layers/7-agents/mail/rules/index.ts";
import type {
  Entry,
  Mail,
  Mailbox,
  Notice,
  NoticeSource,
  ReceivedMessage,
  RegisteredAgent,
} from "../../spec/index.ts";

export interface MailSourceOptions {
  /** The agent whose mail it is. */
  readonly agent: Pick<RegisteredAgent, "id" | "drain">;
  readonly mailbox?: Mailbox;
  /** All entries of its log: the record of what was received. */
  readonly entries: () => AsyncIterable<Entry>;
  /** Mail in the model's view. */
  readonly attached: () => readonly string[];
  /** It has just begun: nothing that its log says so far is about its own mail. */
  readonly isNew?: boolean;
  /** The names of senders. */
  readonly nameOf: (id: string) => Promise<string | undefined>;
  readonly warn: (text: string) => void;
}

export interface MailSource extends NoticeSource {
  /** Where each request between this agent and others stands. */
  ledger(): Promise<MailLedger>;
  /** Whether something has come that it was not told. */
  hasWaiting(): Promise<boolean>;
  /** Acknowledges what is in the log and gives back the rest; gives what was not read and is in no mailbox. */
  close(): Promise<readonly Mail[]>;
}

/**
 * Tells an agent what others wrote to it. A mail is acknowledged once its entry is in the log; where the process dies
 * before, it comes again, and the log says that it came.
 */
export function createMailSource(options: MailSourceOptions): MailSource {
  const { agent, mailbox, entries, nameOf, warn, isNew = false } = options;
  let ledger: Promise<MailLedger> | null = isNew ? Promise.resolve(createMailLedger()) : null;
  /** Handed out, and not yet seen in the log; by id. */
  const given = new Map<string, Mail>();
  /** Taken in, and not yet handed out; by id. */
  const waiting = new Map<string, Mail>();
  /** Those that are in no mailbox, by id, with what their senders were called: they may have ended since. */
  const queued = new Map<string, string | undefined>();
  /** Ids of all that were ever handed out. */
  const told = new Set<string>();

  const attached = () =>
    options.attached().filter((text) => !isNew || told.has(readMailLine(text)?.id ?? ""));

  async function readLedger(): Promise<MailLedger> {
    const made = createMailLedger();
    for await (const entry of entries()) made.add(entry);
    return made;
  }

  async function acknowledge(ids: readonly string[]): Promise<void> {
    if (ids.length === 0 || !mailbox) return;
    const done = await mailbox.acknowledge(agent.id, ids);
    if (!done.ok) warn(done.error.message);
  }

  /** Mail handed out is in view, or else in the log; if not, it is handed out again. */
  async function settleGiven(): Promise<readonly Mail[]> {
    if (given.size === 0) return [];
    const handed = [...given.values()];
    given.clear();
    const known = await openLedger();
    for (const text of attached()) known.addReceived(text);
    if (handed.some(({ id }) => !known.hasReceived(id))) ledger = readLedger();
    const { fresh, known: logged } = settleMail(handed, (await openLedger()).hasReceived);
    await acknowledge(logged);
    return fresh;
  }

  function openLedger(): Promise<MailLedger> {
    ledger ??= readLedger();
    return ledger;
  }

  function drain(): readonly Mail[] {
    return agent.drain().map((message) => {
      queued.set(message.id, message.fromName);
      return toMail(message, agent.id);
    });
  }

  /** Takes in what has come, each sender's in order; what the log has already is acknowledged. */
  async function gather(): Promise<void> {
    const again = await settleGiven();
    const taken = mailbox ? await mailbox.take(agent.id, mailNumbers.takenAtOnce) : null;
    if (taken && !taken.ok) warn(taken.error.message);
    const drained = drain();
    const mails = [...again, ...waiting.values(), ...(taken?.ok ? taken.value : []), ...drained];
    if (mails.length === 0) return;
    const { fresh, known } = settleMail(mails, (await openLedger()).hasReceived);
    await acknowledge(known);
    waiting.clear();
    for (const mail of fresh) waiting.set(mail.id, mail);
  }

  async function toNotice(mail: Mail, exchanges: Exchanges): Promise<readonly [Notice, Exchanges]> {
    const { id, from, at, seq = 0, dropped } = mail;
    const notice = (text: string): Notice => ({ subtype: mailSubtype, text });
    if (dropped) return [notice(renderDropped({ id, from, at, seq }, dropped)), exchanges];
    const fromName = queued.get(id) ?? (await nameOf(from));
    const head = { id, from, at, seq, ...(fromName !== undefined && { fromName }) };
    const checked = checkMessage(mail.body);
    if (!checked.ok) {
      const content = JSON.stringify(mail.body).slice(0, mailNumbers.maxMessageChars);
      return [
        notice(renderMail({ ...head, message: { content } }, { reason: checked.error.message })),
        exchanges,
      ];
    }
    const { content } = checked.value;
    const received: ReceivedMessage = { ...head, message: checked.value };
    if (typeof content === "string") return [notice(renderMail(received)), exchanges];
    const next = nextExchanges(exchanges, { direction: "received", peer: from, message: content });
    if (next.ok) return [notice(renderMail(received)), next.value];
    return [notice(renderMail(received, { reason: next.error.message })), exchanges];
  }

  return {
    name: "mail",
    remembers: true,
    async take() {
      await gather();
      const notices: Notice[] = [];
      if (waiting.size === 0) return notices;
      let exchanges = (await openLedger()).exchanges();
      const mails = [...waiting.values()];
      waiting.clear();
      for (const mail of mails) {
        given.set(mail.id, mail);
        told.add(mail.id);
        const [notice, next] = await toNotice(mail, exchanges);
        exchanges = next;
        notices.push(notice);
      }
      return notices;
    },
    async hasWaiting() {
      await gather();
      return waiting.size > 0;
    },
    async ledger() {
      const known = await openLedger();
      for (const text of attached()) if (readMailLine(text)) known.addReceived(text);
      return known;
    },
    async close() {
      const again = await settleGiven();
      const unread = [...again, ...waiting.values(), ...drain()];
      const released = await mailbox?.release?.(agent.id);
      if (released && !released.ok) warn(released.error.message);
      return unread.filter(({ id }) => queued.has(id));
    },
  };
}

function toMail({ id, from, at, seq, message }: ReceivedMessage, to: string): Mail {
  return { id, from, to, at, seq, body: message };
}
