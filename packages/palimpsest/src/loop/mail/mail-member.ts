import {
  createMailSource,
  type Exchanges,
  hasAgreedToEnd,
  type MailSource,
  noExchanges,
  peersAsked,
  renderUnread,
} from "@palimpsest/core/internal";
import type {
  AgentDirectory,
  Clock,
  Entry,
  Mail,
  Mailbox,
  NoticeSource,
  RegisteredAgent,
  View,
} from "@palimpsest/core/spec";
import { createLinkedSignal } from "../../signals.ts";
import { attachedTexts } from "../agent/agent-notices.ts";

/** The parts of its conversation that mail needs. */
export interface MailContext {
  readonly entries: () => AsyncIterable<Entry>;
  readonly view: () => Pick<View, "items">;
}

/** An agent of a session that others may write to. */
export interface MailMember {
  /** Who tells it of its mail. */
  source(context: MailContext): NoticeSource;
  /** Whether something has come that it was not told. */
  hasWaiting(): Promise<boolean>;
  /** Whether it has agreed to end. */
  hasAgreedToEnd(): Promise<boolean>;
  /** Whether it has asked something that somebody in this process may still answer. */
  awaitsAnswer(): Promise<boolean>;
  /** Resolves when something comes, when the time is over, and when the signal says so. */
  nextMail(withinMs: number, signal: AbortSignal): Promise<void>;
  /** Nobody reaches it from here on. Who wrote what it has not read is told so. */
  leave(): Promise<void>;
}

export interface MailMemberOptions {
  readonly agent: RegisteredAgent;
  readonly directory: AgentDirectory;
  readonly mailbox?: Mailbox;
  readonly clock: Clock;
  readonly nameOf: (id: string) => Promise<string | undefined>;
  readonly warn: (text: string) => void;
  /** Its source is there: SendMessage asks it how requests stand. */
  readonly onSource: (source: MailSource) => void;
  readonly onLeave: () => void;
}

export function createMailMember(options: MailMemberOptions): MailMember {
  const { agent, directory, mailbox, clock, nameOf, warn, onSource, onLeave } = options;
  let source: MailSource | null = null;
  let left: Promise<void> | null = null;

  async function exchanges(): Promise<Exchanges> {
    return source ? (await source.ledger()).exchanges() : noExchanges;
  }

  async function leave(): Promise<void> {
    await agent.unregister();
    const unread = source ? await source.close() : [];
    onLeave();
    const inMailbox = await takeUnread(agent.id, mailbox);
    for (const mail of [...unread, ...inMailbox]) await reportUnread(directory, agent, mail);
  }

  return {
    source({ entries, view }) {
      const made = createMailSource({
        agent,
        ...(mailbox && { mailbox }),
        entries,
        isNew: true,
        attached: () => attachedTexts(view(), "mail"),
        nameOf,
        warn,
      });
      source = made;
      onSource(made);
      return made;
    },
    hasWaiting: async () => (await source?.hasWaiting()) ?? false,
    hasAgreedToEnd: async () => hasAgreedToEnd(await exchanges()),
    async awaitsAnswer() {
      const asked = peersAsked(await exchanges());
      if (asked.length === 0) return false;
      const others = await directory.list(agent.id);
      return others.some(({ id, route }) => route === "queue" && asked.includes(id));
    },
    async nextMail(withinMs, signal) {
      const { signal: over, abort: end } = createLinkedSignal([signal]);
      const forget = agent.onMessage(end);
      mailbox?.watch?.(agent.id, end, over);
      if (signal.aborted || (await source?.hasWaiting())) end();
      await clock.sleep(withinMs, over);
      end();
      forget();
    },
    leave() {
      left ??= leave();
      return left;
    },
  };
}

/** Mail in the mailbox of an agent that is gone: nobody will read it there. */
export async function takeUnread(id: string, mailbox: Mailbox | undefined): Promise<readonly Mail[]> {
  const taken = await mailbox?.take(id, 100);
  if (!mailbox || !taken?.ok || taken.value.length === 0) return [];
  await mailbox.acknowledge(
    id,
    taken.value.map((mail) => mail.id),
  );
  return taken.value.filter(({ dropped }) => dropped === undefined);
}

/** Where the sender is gone too, there is nobody to tell. */
export async function reportUnread(
  directory: AgentDirectory,
  { id, name }: Pick<RegisteredAgent, "id" | "name">,
  mail: Mail,
): Promise<void> {
  await directory.send(id, `session:${mail.from}`, renderUnread(name, mail));
}
