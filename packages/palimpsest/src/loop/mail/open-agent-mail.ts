import { tmpdir, userInfo } from "node:os";
import {
  createAgentDirectory,
  createMailSource,
  createSocketSender,
  listenForMail,
  type MailListener,
  type MailSource,
  type Runtime,
  socketFolder,
  socketLocation,
} from "@palimpsest/core/internal";
import {
  type AgentDirectory,
  type AgentRegistration,
  type Clock,
  type Mail,
  type Mailbox,
  type NoticeSource,
  ok,
  type Result,
  type Store,
  type Tool,
} from "@palimpsest/core/spec";
import { createSendMessageTool } from "../../tools/send-message/index.ts";
import { attachedTexts } from "../agent/agent-notices.ts";
import type { NoticeContext } from "../open-session.ts";
import { createMailMember, type MailMember, reportUnread, takeUnread } from "./mail-member.ts";

export interface OpenAgentMailOptions {
  readonly runtime: Runtime;
  readonly clock: Clock;
  /** The data root. */
  readonly home: string;
  readonly store: Store;
  /** The session's id. */
  readonly id: string;
  /** The name for others; its id where absent. */
  readonly name?: string;
  readonly warn: (text: string) => void;
}

/** The mail of a session and of the agents in it. */
export interface AgentMail {
  /** Where agents of this process are registered. */
  readonly directory: AgentDirectory;
  readonly tool: Tool;
  /** Who tells the session of its mail. */
  source(context: Pick<NoticeContext, "handle">): NoticeSource;
  /** Makes an agent of the session reachable; `exists` where somebody has its name. */
  enter(agent: Pick<AgentRegistration, "id" | "name">): Promise<Result<MailMember>>;
  /** An agent that has entered and not left. */
  member(id: string): MailMember | undefined;
  close(): Promise<void>;
}

/** Makes a session reachable: under its name, by its mailbox, and by a socket. What cannot be had is a warning. */
export async function openAgentMail(options: OpenAgentMailOptions): Promise<AgentMail> {
  const { runtime, clock, home, store, id, name = id, warn } = options;
  const { ids } = runtime;
  const { mailbox, agentRecords: records } = store;
  const owner = userInfo().uid;
  const folder = socketFolder(home, tmpdir());
  const shared = { clock, ids };
  const isLogged = async (session: string) => (await store.logs.scan(session, () => {}, { limit: 1 })).ok;
  const directory = createAgentDirectory({
    ...shared,
    ...(records && { records }),
    ...(mailbox && { mailbox }),
    sendOverSocket: createSocketSender({ ...shared, folder, owner }),
    hasSession: async (session) => (await mayRun(session)) && (await isLogged(session)),
  });
  const location = socketLocation(folder, id);
  const registered = await directory.register({
    id,
    name,
    isPublic: true,
    ...(mailbox && { socket: location.socket }),
  });
  if (!registered.ok) warn(`Other agents cannot reach this session: ${registered.error.message}`);
  const listening = registered.ok && mailbox ? await listen(mailbox) : null;
  const sources = new Map<string, MailSource>();
  const members = new Map<string, MailMember>();
  /** Agents that have ended: their ids, and what they were called. */
  const ended = new Map<string, string>();
  let own: MailSource | null = null;

  /** An agent reads its mail as long as it runs, which only the process of its session knows. */
  async function mayRun(session: string): Promise<boolean> {
    const [parent, agent] = session.split("/");
    if (agent === undefined) return true;
    if (parent === id) return false;
    const running = await records?.list();
    return running?.ok === true && running.value.some((one) => one.id === parent);
  }

  async function listen({ send }: Mailbox): Promise<MailListener | null> {
    const listener = await listenForMail({ ...shared, location, id, owner, accept: send });
    if (listener.ok) return listener.value;
    warn(`Other sessions cannot reach this one by a socket: ${listener.error.message}`);
    return null;
  }

  const nameOf = async (sender: string) => (await directory.list()).find((one) => one.id === sender)?.name;

  /** Other processes may have written to agents that had ended already. */
  async function tellLateSenders(): Promise<void> {
    for (const [agent, called] of ended)
      for (const mail of await takeUnread(agent, mailbox))
        await reportUnread(directory, { id: agent, name: called }, mail);
  }

  return {
    directory,
    tool: createSendMessageTool({ directory, exchangesOf: async (agent) => sources.get(agent)?.ledger() }),
    source({ handle }) {
      const source = createMailSource({
        agent: registered.ok ? registered.value : { id, drain: () => [] },
        ...(mailbox && { mailbox }),
        entries: () => handle.session.entries(),
        attached: () => attachedTexts(handle.view(), "mail"),
        nameOf,
        warn,
      });
      own = source;
      sources.set(id, source);
      return {
        ...source,
        async take(moment) {
          if (moment.kind === "turn-start") await tellLateSenders();
          return source.take(moment);
        },
      };
    },
    async enter(agent) {
      const entered = await directory.register(agent);
      if (!entered.ok) return entered;
      const member = createMailMember({
        agent: entered.value,
        directory,
        ...(mailbox && { mailbox }),
        clock,
        nameOf,
        warn,
        onSource: (source) => sources.set(agent.id, source),
        onLeave() {
          sources.delete(agent.id);
          members.delete(agent.id);
          ended.set(agent.id, agent.name);
        },
      });
      members.set(agent.id, member);
      return ok(member);
    },
    member: (agent) => members.get(agent),
    async close() {
      for (const member of [...members.values()]) await member.leave();
      await tellLateSenders();
      if (registered.ok) await registered.value.unregister();
      await listening?.close();
      const unread = own ? await own.close() : [];
      for (const mail of unread) await keep(mail);
    },
  };

  /** Mail that was in memory only is found when the session is opened again. */
  async function keep(mail: Mail): Promise<void> {
    const { seq: _seq, ...kept } = mail;
    const sent = await mailbox?.send(kept);
    if (sent && !sent.ok) warn(`A message from ${mail.from} was not read: ${sent.error.message}`);
  }
}
