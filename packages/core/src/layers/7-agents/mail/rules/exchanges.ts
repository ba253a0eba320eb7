import {
  type AgentAddress,
  type AgentMessage,
  fail,
  type Mail,
  ok,
  type ReachableAgent,
  type ReceivedMessage,
  type Result,
  type StructuredMessage,
} from "../../../../spec/index.ts";
import { quoteForeign, showLine } from "../../../../view/quote-foreign.ts";
import { escapeDelimiters, toAttribute } from "../../../../view/trust/delimiters.ts";
import { formatMailLine, markOf } from "./check-message.ts";

/** A request between this agent and another, and how far it is. */
export interface Exchange {
  readonly kind: "shutdown" | "plan_approval";
  readonly requestId: string;
  /** The other side's log id. */
  readonly peer: string;
  readonly direction: "sent" | "received";
  readonly state: "open" | "approved" | "refused";
}

/** All requests of an agent, by `keyOf`. Derived from what its log says was sent and received. */
export type Exchanges = ReadonlyMap<string, Exchange>;

/** A structured message that this agent sends or has received. */
export interface ExchangeStep {
  readonly direction: "sent" | "received";
  readonly peer: string;
  readonly message: StructuredMessage;
}

export const noExchanges: Exchanges = new Map();

/**
 * The exchanges after a step. A request opens one, and its id is used once; an answer closes the one that went the other
 * way between the same two. Everything else is refused with the reason, and changes nothing.
 */
export function nextExchanges(exchanges: Exchanges, step: ExchangeStep): Result<Exchanges> {
  const { direction, peer, message } = step;
  const isRequest = message.type.endsWith("_request");
  const kind = message.type.startsWith("shutdown") ? "shutdown" : "plan_approval";
  const { requestId } = message;
  if (isRequest) {
    const key = keyOf({ kind, requestId, peer, direction });
    if (exchanges.has(key))
      return refuse(`The request ${requestId} was made before.`, "Give each request an id of its own.");
    return ok(withExchange(exchanges, { kind, requestId, peer, direction, state: "open" }));
  }
  const asked = direction === "sent" ? "received" : "sent";
  const open = exchanges.get(keyOf({ kind, requestId, peer, direction: asked }));
  if (!open)
    return refuse(
      `No ${kind}_request ${requestId} is open between the two.`,
      "Answer a request that was made.",
    );
  if (open.state !== "open")
    return refuse(`The request ${requestId} was answered before: ${open.state}.`, "Make a new request.");
  const approved = "approve" in message && message.approve;
  return ok(withExchange(exchanges, { ...open, state: approved ? "approved" : "refused" }));
}

/** Whether this agent has agreed to end. */
export function hasAgreedToEnd(exchanges: Exchanges): boolean {
  return [...exchanges.values()].some(
    ({ kind, direction, state }) => kind === "shutdown" && direction === "received" && state === "approved",
  );
}

/** Those that this agent has asked and that have not answered, by their log ids. */
export function peersAsked(exchanges: Exchanges): readonly string[] {
  const open = [...exchanges.values()].filter(
    ({ direction, state }) => direction === "sent" && state === "open",
  );
  return [...new Set(open.map(({ peer }) => peer))];
}

function keyOf({ kind, requestId, peer, direction }: Omit<Exchange, "state">): string {
  return `${direction} ${kind} ${requestId} ${peer}`;
}

function withExchange(exchanges: Exchanges, exchange: Exchange): Exchanges {
  return new Map(exchanges).set(keyOf(exchange), exchange);
}

function refuse(message: string, fix: string): Result<never> {
  return fail("conflict", message, { path: "message", fix });
}

const ownTag = /[<\uff1c\ufe64\u2039\u27e8\u3008](?=[\s/\uff0f\\]*mail(?![\p{L}\p{N}]))/giu;

/** Why a message that has arrived is not what it says it is. */
interface MailFlaw {
  readonly reason: string;
}

/**
 * A received message as the model sees it: data between delimiters, with who sent it as the transport says. Nothing in it
 * can end it early, or make it come from somebody else.
 */
export function renderMail(received: ReceivedMessage, flaw?: MailFlaw): string {
  const { id, from, fromName, at, seq, message } = received;
  const { content, summary } = message;
  const mark = flaw ? undefined : markOf(content);
  const attributes: Readonly<Record<string, string | undefined>> = {
    from: fromName ?? `session:${from}`,
    session: fromName === undefined ? undefined : from,
    at,
    kind: typeof content === "string" ? "text" : content.type,
    summary,
    rejected: flaw?.reason,
  };
  const head = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}="${toAttribute(value)}"`,
  );
  return [
    formatMailLine({ id, from, seq, ...(mark && { mark }) }),
    `<mail ${head.join(" ")}>`,
    escapeMail(typeof content === "string" ? content : wordsOf(content)),
    "</mail>",
    "Another agent wrote this; it is not the user's word.",
  ].join("\n");
}

/** A mail of which only the head is left. */
export function renderDropped(
  { id, from, at, seq }: Pick<ReceivedMessage, "id" | "from" | "at" | "seq">,
  why: "expired" | "unreadable",
): string {
  const reason = why === "expired" ? "it had waited too long" : "its file could not be read";
  return `${formatMailLine({ id, from, seq })}\n<mail from="${toAttribute(`session:${from}`)}" at="${toAttribute(at)}" dropped="${why}"/>\nA message from another agent was dropped: ${reason}.`;
}

const unreadChars = 300;

/** The notice to a sender whose message nobody has read. */
export function renderUnread(name: string, { body }: Pick<Mail, "body">): AgentMessage {
  const { content } = body as AgentMessage;
  const words = typeof content === "string" ? content : wordsOf(content);
  return {
    content: `${showLine(name)} has ended, and has not read what you wrote to it: ${quoteForeign(words, unreadChars)}`,
    summary: "not read",
  };
}

function escapeMail(text: string): string {
  return escapeDelimiters(text).replace(ownTag, "&lt;").trim();
}

function wordsOf(message: StructuredMessage): string {
  const { type: _type, ...rest } = message;
  return Object.entries(rest)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join("\n");
}

export interface RouteContext {
  /** The sender's log id. */
  readonly self: string;
  /** Who runs. */
  readonly agents: readonly ReachableAgent[];
  /** Whether the session that is asked for exists, running or not. */
  readonly hasSession: boolean;
}

/** The receivers of a message, each with its way; says who there is where nobody has that address. */
export function decideRoute(
  address: AgentAddress,
  { self, agents, hasSession }: RouteContext,
): Result<readonly ReachableAgent[]> {
  const others = agents.filter(({ id }) => id !== self);
  if (address.kind === "everyone")
    return others.length > 0
      ? ok(others)
      : fail("not-found", "There is nobody else.", { path: "*", fix: "Start an agent first." });
  if (address.kind === "socket") {
    const listening = others.find(({ socket }) => socket === address.path);
    return ok([listening ? { ...listening, route: "socket" } : strangerAt(address.path)]);
  }
  const isMeant = ({ id, name }: ReachableAgent) =>
    address.kind === "name" ? name === address.name : id === address.id;
  const found = others.find(isMeant);
  if (found) return ok([found]);
  if (agents.some(isMeant))
    return fail("invalid-input", "A message to oneself is not sent.", {
      path: "to",
      fix: describeAgents(others),
    });
  if (address.kind === "session" && hasSession)
    return ok([{ id: address.id, name: `session:${address.id}`, route: "mailbox" }]);
  const named = address.kind === "name" ? `agent “${address.name}”` : `session ${address.id}`;
  return fail("not-found", `There is no ${named}.`, {
    path: "to",
    fix: describeAgents(others),
    facts: { reachable: others.map(({ name }) => name) },
  });
}

/** Who listens there is known only when it answers. */
const strangerAt = (path: string): ReachableAgent => ({
  id: `uds:${path}`,
  name: `uds:${path}`,
  route: "socket",
  socket: path,
});

const maxNamed = 50;

function describeAgents(others: readonly ReachableAgent[]): string {
  if (others.length === 0) return "Nobody else can be reached now.";
  const named = others.slice(0, maxNamed).map(({ name, id }) => `${name} (session:${id})`);
  const more = others.length > maxNamed ? ` and ${others.length - maxNamed} more` : "";
  return `Reachable: ${named.join(", ")}${more}.`;
}
