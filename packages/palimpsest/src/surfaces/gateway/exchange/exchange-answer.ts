import type { GatewayEvent } from "../gateway-event.ts";
import type { ClientRequest, Protocol, RelayedAnswer } from "../protocol/protocol.ts";
import { sessionHeader } from "../relay/forward-headers.ts";
import type { UpstreamAnswer } from "../relay/upstream-answer.ts";
import type { Claim } from "../session/conversations.ts";
import { type Choice, codeOf, sendChoice } from "./choose.ts";
import type { Exchange } from "./exchange.ts";
import { isRefused, recoverAnswer } from "./recover-answer.ts";
import { type Outcome, relay, sayUnreachable } from "./relay.ts";

type RequestEnd = Extract<GatewayEvent, { readonly type: "request-end" }>;

/** A request as it was understood, now or once there is time for it. */
export interface Reading {
  readonly model: string;
  /** The session it belongs to, as far as anybody knows now. */
  readonly session?: string;
  /** Reads it where it was not read yet. */
  read(): Promise<{ readonly client: ClientRequest; readonly claim?: Claim } | null>;
}

/** A response that was whole, and its way into the log. */
interface Heard {
  readonly answer: RelayedAnswer | null;
  readonly settled?: Promise<void>;
}

/** Sends what was chosen, relays what comes back, and writes it down. */
export async function exchangeAnswer(
  exchange: Exchange,
  protocol: Protocol,
  chosen: Choice,
  reading: Reading,
): Promise<void> {
  const { parts, method, path } = exchange;
  const { model } = reading;
  let choice = chosen;
  let status: number | undefined;
  let outcome: Outcome;
  let heard: Heard = { answer: null };
  try {
    let answer = await sendChoice(exchange, choice);
    const read = isRefused(answer) ? await reading.read() : null;
    if (read) ({ answer, choice } = await recoverAnswer({ exchange, protocol, choice, answer, ...read }));
    status = answer.statusCode;
    const tap = isReadable(answer) ? protocol.createTap({ model, isStream: isStream(answer) }) : undefined;
    const named = reading.session === undefined ? [] : [sessionHeader, reading.session];
    outcome = await relay(exchange, answer, named, (chunk) => {
      tap?.take(chunk);
      if (tap?.isWhole && heard.answer === null) heard = settle(exchange, reading, tap.end());
    });
    if (outcome === "whole" && heard.answer === null) heard = settle(exchange, reading, tap?.end() ?? null);
  } catch {
    outcome = sayUnreachable(exchange);
  }
  await heard.settled;
  const { claim } = (await reading.read().catch(() => null)) ?? {};
  const { sent, isUnread, reason, layers } = choice;
  parts.emit({
    type: "request-end",
    method,
    path,
    protocol: protocol.name,
    model,
    sent,
    outcome,
    ...(isUnread && { isUnread }),
    ...(status !== undefined && { status }),
    ...(claim && { session: claim.id, match: claim.kind }),
    ...(reason !== undefined && { reason }),
    ...(layers && layers.length > 0 && { layers }),
    ...usageOf(heard.answer),
  });
}

/** The log is written beside the relay: the client may have its next request ready before the connection ends. */
function settle({ parts }: Exchange, reading: Reading, answer: RelayedAnswer | null): Heard {
  if (!answer) return { answer };
  const settled = reading
    .read()
    .then((read) => read?.claim?.settle(answer))
    .catch((cause) => {
      const session = reading.session === undefined ? {} : { session: reading.session };
      parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "settle", ...session });
    });
  return { answer, settled };
}

/** Compressed answers are let pass unread. */
function isReadable({ statusCode, headers }: UpstreamAnswer): boolean {
  const coding = headers["content-encoding"];
  return statusCode === 200 && (coding === undefined || coding === "identity");
}

function isStream({ headers }: UpstreamAnswer): boolean {
  return (headers["content-type"] ?? "").startsWith("text/event-stream");
}

function usageOf(answer: RelayedAnswer | null): Partial<RequestEnd> {
  if (!answer) return {};
  const { input, output, cacheRead, cacheCreation } = answer.usage;
  return {
    promptTokens: input + cacheRead + cacheCreation,
    cacheReadTokens: cacheRead,
    outputTokens: output,
  };
}
