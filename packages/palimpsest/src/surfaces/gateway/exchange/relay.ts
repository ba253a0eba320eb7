import type { GatewayEvent } from "../gateway.ts";
import { sendError } from "../relay/forward-headers.ts";
import { type RelayEnd, relayAnswer } from "../relay/relay-answer.ts";
import type { UpstreamAnswer } from "../relay/upstreams.ts";
import { type Exchange, send } from "./exchange.ts";

export type ExchangeOutcome = Extract<GatewayEvent, { readonly type: "request-end" }>["outcome"];

/**
 * Gives the provider's answer on. A redirection is an error here: to follow it, or to let a client follow it, would
 * take the key to another server.
 */
export async function relay(
  { response }: Exchange,
  answer: UpstreamAnswer,
  more: readonly string[] = [],
  onChunk?: (chunk: Uint8Array) => void,
): Promise<RelayEnd> {
  const status = answer.statusCode ?? 0;
  if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
    answer.destroy();
    sendError(response, 502, "upstream-redirect", "The provider's server wants to lead elsewhere.");
    return "whole";
  }
  return relayAnswer(answer, response, more, onChunk);
}

/** Says that the provider cannot be reached, to a client that is still there. */
export function sayUnreachable({ response, signal }: Exchange): ExchangeOutcome {
  if (signal.aborted) return "client-gone";
  sendError(
    response,
    502,
    "upstream-unreachable",
    "The provider's server cannot be reached through the gateway.",
  );
  return "unreachable";
}

/** Lets a request and its answer pass as they are. */
export async function passThrough(exchange: Exchange): Promise<void> {
  const { parts, route, method, path, body } = exchange;
  let status: number | undefined;
  let outcome: ExchangeOutcome;
  try {
    const answer = await send(exchange, body);
    status = answer.statusCode;
    outcome = await relay(exchange, answer);
  } catch {
    outcome = sayUnreachable(exchange);
  }
  const { protocol } = route;
  const sent = { type: "request-end", method, path, sent: "passed", outcome } as const;
  parts.emit({ ...sent, ...(protocol && { protocol }), ...(status !== undefined && { status }) });
}
