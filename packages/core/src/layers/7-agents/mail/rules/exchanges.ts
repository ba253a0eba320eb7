import { fail, ok, type Result, type StructuredMessage } from "../../../../spec/index.ts";

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
