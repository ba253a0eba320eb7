import {
  checkMessage,
  decideRoute,
  isAgentName,
  isLogId,
  mailNumbers,
  parseAddress,
} from "../../layers/7-agents/mail/rules/index.ts";
import {
  type AgentDirectory,
  type AgentMessage,
  type AgentRecords,
  type AgentRegistration,
  type Clock,
  fail,
  type Ids,
  type Mail,
  type Mailbox,
  type MessageReceipt,
  ok,
  type ReachableAgent,
  type ReceivedMessage,
  type Result,
} from "../../spec/index.ts";

/** Hands a mail to whoever listens at a socket; `disconnected` where nobody does. Gives the listener's log id. */
export type SendOverSocket = (path: string, mail: Omit<Mail, "to">) => Promise<Result<string>>;

export interface AgentDirectoryOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Agents of other processes; absent: only those of this one are known. */
  readonly records?: AgentRecords;
  readonly mailbox?: Mailbox;
  readonly sendOverSocket?: SendOverSocket;
  /** Whether a session exists that does not run: it finds its mail when it is opened. */
  readonly hasSession?: (id: string) => Promise<boolean>;
}

interface LocalAgent extends AgentRegistration {
  readonly queue: AgentQueue;
}

/** Who there is, and the way to each: a queue within this process, else a socket, else a mailbox. */
export function createAgentDirectory(options: AgentDirectoryOptions): AgentDirectory {
  const { clock, ids, records, mailbox, sendOverSocket } = options;
  const local = new Map<string, LocalAgent>();

  async function everybody(): Promise<readonly ReachableAgent[]> {
    const listed = records ? await records.list() : ok([]);
    const here = [...local.values()].map(toReachable);
    const known = new Set(here.map(({ id }) => id));
    const elsewhere = (listed.ok ? listed.value : [])
      .filter(({ id }) => !known.has(id))
      .map(
        (record) => ({ ...record, route: record.socket && sendOverSocket ? "socket" : "mailbox" }) as const,
      );
    return [...here, ...elsewhere].toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  async function find(self: string, to: string): Promise<Result<readonly ReachableAgent[]>> {
    const address = parseAddress(to);
    if (!address.ok) return address;
    const { value } = address;
    const hasSession = value.kind === "session" && (await options.hasSession?.(value.id)) === true;
    return decideRoute(value, { self, agents: await everybody(), hasSession });
  }

  async function deliver(
    mail: Omit<Mail, "to">,
    message: AgentMessage,
    { id: to, name, route, socket }: ReachableAgent,
  ): Promise<Result<MessageReceipt>> {
    const receipt = { id: mail.id, to, name };
    const agent = local.get(to);
    if (agent) {
      const fromName = local.get(mail.from)?.name;
      const { id, from, at } = mail;
      const pushed = agent.queue.push({ id, from, at, message, ...(fromName !== undefined && { fromName }) });
      return pushed.ok ? ok({ ...receipt, route: "queue" }) : pushed;
    }
    if (route === "socket" && socket !== undefined) {
      const sent = sendOverSocket ? await sendOverSocket(socket, mail) : noWay(name);
      if (sent.ok) return ok({ ...receipt, to: sent.value, route });
      if (!isLogId(to) || sent.error.code !== "disconnected") return sent;
    }
    const sent = mailbox ? await mailbox.send({ ...mail, to }) : noWay(name);
    return sent.ok ? ok({ ...receipt, route: "mailbox" }) : sent;
  }

  return {
    async register(agent) {
      const wrong = checkRegistration(agent);
      if (wrong) return wrong;
      if ([...local.values()].some(({ id, name }) => id === agent.id || name === agent.name))
        return fail("exists", `An agent is called “${agent.name}” or ${agent.id} already.`, {
          path: agent.name,
          fix: "Give it another name.",
        });
      const queue = createAgentQueue(agent.name);
      local.set(agent.id, { ...agent, queue });
      const { id, name, socket } = agent;
      const record = { id, name, ...(socket !== undefined && { socket }) };
      const added = agent.isPublic && records ? await records.add(record) : ok(async () => {});
      if (!added.ok) local.delete(agent.id);
      if (!added.ok) return added;
      return ok({
        id: agent.id,
        name: agent.name,
        drain: queue.drain,
        onMessage: queue.onMessage,
        async unregister() {
          if (local.get(agent.id)?.queue !== queue) return;
          local.delete(agent.id);
          await added.value();
        },
      });
    },
    list: async (self) => (await everybody()).filter(({ id }) => id !== self),
    find,
    async send(from, to, message) {
      const checked = checkMessage(message);
      if (!checked.ok) return checked;
      const found = await find(from, to);
      if (!found.ok) return found;
      if (to === "*" && typeof message.content !== "string")
        return fail("invalid-input", `A ${message.content.type} goes to one agent.`, {
          path: "to",
          fix: "Name the agent.",
        });
      const delivered: MessageReceipt[] = [];
      const failed: { name: string; reason: string }[] = [];
      for (const agent of found.value) {
        const at = new Date(clock.now()).toISOString();
        const mail = { id: ids.next("mail"), from, at, body: checked.value };
        const outcome = await deliver(mail, checked.value, agent);
        if (outcome.ok) delivered.push(outcome.value);
        else if (to !== "*") return outcome;
        else failed.push({ name: agent.name, reason: outcome.error.message });
      }
      return ok({ delivered, failed });
    },
  };
}

function toReachable({ id, name, socket }: LocalAgent): ReachableAgent {
  return { id, name, route: "queue", ...(socket !== undefined && { socket }) };
}

function checkRegistration({ id, name }: AgentRegistration): Result<never> | null {
  if (isAgentName(name) && isLogId(id)) return null;
  return fail(
    "invalid-input",
    `${JSON.stringify(name)} with the log ${JSON.stringify(id)} cannot be an agent.`,
    {
      path: name,
      fix: "Use letters, digits, dots, dashes and underscores, at most 64 of them.",
    },
  );
}

function noWay(name: string): Result<never> {
  return fail("disconnected", `No message can be brought to ${name} from here.`, {
    path: name,
    fix: "Open the session with a store that has mailboxes.",
  });
}

/** Messages for one agent of this process, in the order they came. */
interface AgentQueue {
  push(message: Omit<ReceivedMessage, "seq">): Result<void>;
  drain(): readonly ReceivedMessage[];
  onMessage(listener: () => void): () => void;
}

function createAgentQueue(name: string, maxWaiting: number = mailNumbers.maxWaiting): AgentQueue {
  const listeners = new Set<() => void>();
  let waiting: ReceivedMessage[] = [];
  let seq = 0;
  return {
    push(message) {
      if (waiting.length >= maxWaiting)
        return fail("too-large", `The queue of ${name} is full: ${waiting.length} messages wait in it.`, {
          path: name,
          fix: "Send it again once the receiver has read some of them.",
          retryable: true,
        });
      seq = Math.max(seq + 1, Date.parse(message.at));
      // A copy: what the sender does with its own afterwards is not the receiver's.
      waiting.push({ ...message, message: structuredClone(message.message) as AgentMessage, seq });
      for (const listener of listeners) listener();
      return ok();
    },
    drain() {
      const drained = waiting;
      waiting = [];
      return drained;
    },
    onMessage(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
