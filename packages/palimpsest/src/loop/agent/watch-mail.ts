import type { AgentMessage, Mailbox, Store, Tool } from "@palimpsest/core/spec";
import type { AgentMail } from "../mail/open-agent-mail.ts";

/** A message that has come for a session, and that its model has not read yet. */
export interface IncomingMail {
  /** The sender's log id. */
  readonly from: string;
  /** The sender's subject line: a stranger's words. */
  readonly summary?: string;
}

export interface MailWatch {
  /** Hears what other processes put into the session's mailbox through this one. */
  store(store: Store): Store;
  /** Hears what agents of this process write to the session. */
  mail(mail: AgentMail): AgentMail;
}

/** Tells of mail for a session as it comes. Nothing is read, taken or changed by it. */
export function watchMail(to: string, hear: (mail: IncomingMail) => void): MailWatch {
  return {
    store: (store) => (store.mailbox ? { ...store, mailbox: watchMailbox(store.mailbox, to, hear) } : store),
    mail(mail) {
      const { run } = mail.tool;
      if (!run) return mail;
      const tool: Tool = {
        ...mail.tool,
        async run(input, context) {
          const outcome = await run(input, context);
          const from = context.session.id;
          if (outcome.isError || from === to) return outcome;
          const { to: named, summary } = input as { readonly to: string; readonly summary?: string };
          const found = await mail.directory.find(from, named);
          if (found.ok && found.value.some(({ id }) => id === to)) hear(toHeard(from, summary));
          return outcome;
        },
      };
      return { ...mail, tool };
    },
  };
}

function watchMailbox(mailbox: Mailbox, to: string, hear: (mail: IncomingMail) => void): Mailbox {
  return {
    ...mailbox,
    async send(mail) {
      const sent = await mailbox.send(mail);
      if (sent.ok && mail.to === to) hear(toHeard(mail.from, (mail.body as Partial<AgentMessage>)?.summary));
      return sent;
    },
  };
}

function toHeard(from: string, summary: unknown): IncomingMail {
  return { from, ...(typeof summary === "string" && summary.trim() !== "" && { summary }) };
}
