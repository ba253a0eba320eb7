import { parseJson } from "@palimpsest/core/internal";
import { isThoughtThrough } from "../match/match-conversation.ts";
import type { ClientRequest, Protocol } from "../protocol/protocol.ts";
import { codeOf, mayForwardFirst, prepareChoice, toInput } from "./choose-request.ts";
import { type Exchange, send } from "./exchange.ts";
import { type ExchangeOutcome, passThrough, relay, sayUnreachable } from "./relay.ts";

/** Counts what would be sent: the session's request where that is another than the client's. */
export async function countTokens(exchange: Exchange, protocol: Protocol): Promise<void> {
  const { parts, request, body, method, path } = exchange;
  const read = protocol.read(parseJson(body.toString("utf8")), request.headers);
  if (!read.ok || read.value.standsAside !== undefined || parts.isObserving) return passThrough(exchange);
  const written = await managedBody(exchange, protocol, read.value);
  if (!written) return passThrough(exchange);
  let status: number | undefined;
  let outcome: ExchangeOutcome;
  try {
    const answer = await send(exchange, written.body, { betas: written.betas });
    status = answer.statusCode;
    outcome = await relay(exchange, answer);
  } catch {
    outcome = sayUnreachable(exchange);
  }
  const { model } = read.value;
  const event = { type: "request-end", method, path, protocol: protocol.name, model, outcome } as const;
  parts.emit({ ...event, sent: "rewritten", ...(status !== undefined && { status }) });
}

async function managedBody(exchange: Exchange, protocol: Protocol, client: ClientRequest) {
  const { parts, body } = exchange;
  const input = { ...toInput(exchange, protocol, client), isCount: true };
  const { kind } = parts.conversations.peek(input);
  const { prefixBoundThinking } = parts.catalog.capabilities(client.model).value;
  const isBound = prefixBoundThinking && client.turns.some(({ content }) => isThoughtThrough(content));
  const window = parts.windows.known(protocol, client.model);
  const facts = { kind, bytes: body.length, isBound, ...(window !== undefined && { window }) };
  if (mayForwardFirst(facts) || isBound) return undefined;
  try {
    const claim = await parts.conversations.claim(input);
    try {
      return (await prepareChoice(claim, protocol, client)).written;
    } finally {
      claim.release();
    }
  } catch (cause) {
    parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "count" });
    return undefined;
  }
}
