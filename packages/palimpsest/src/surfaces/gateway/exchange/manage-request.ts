import { setImmediate } from "node:timers/promises";
import { parseJson } from "../protocol/parse-json.ts";
import type { ClientRequest, Protocol } from "../protocol/protocol.ts";
import { sessionHeader } from "../relay/forward-headers.ts";
import type { Claim, UnreadClaim } from "../session/conversations.ts";
import { choose, codeOf, toQuestion } from "./choose.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeAnswer, type Reading } from "./exchange-answer.ts";
import { passThrough } from "./pass-through.ts";

/** A request of a conversation: it goes to its session, and what the session makes of it goes to the provider. */
export async function manageRequest(exchange: Exchange, protocol: Protocol): Promise<void> {
  const { parts, request, body } = exchange;
  const isNamed = request.headers[sessionHeader] !== undefined;
  const question = { protocol: protocol.name, body, nowMs: parts.clock.now() };
  const unread = parts.isObserving || isNamed ? undefined : parts.conversations.unread(question);
  if (unread) return forwardUnread(exchange, protocol, unread);
  const read = readRequest(exchange, protocol);
  if (!read) return passThrough(exchange);
  const chosen = await choose(exchange, protocol, read).catch((cause) => {
    // Nothing that fails here may keep the client's request from going out.
    parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "match" });
    return null;
  });
  if (!chosen) return passThrough(exchange);
  const { claim, choice } = chosen;
  const reading: Reading = {
    model: read.model,
    ...(claim && { session: claim.id }),
    read: async () => ({ client: read, ...(claim && { claim }) }),
  };
  try {
    await exchangeAnswer(exchange, protocol, choice, reading);
  } finally {
    claim?.release();
  }
}

function readRequest({ body, request }: Exchange, protocol: Protocol): ClientRequest | null {
  const read = protocol.read(parseJson(body.toString("utf8")), request.headers);
  return read.ok ? read.value : null;
}

/** Sends a request for which nothing can be due as it is, and reads it once the answer has gone to the client. */
async function forwardUnread(exchange: Exchange, protocol: Protocol, unread: UnreadClaim): Promise<void> {
  let claim: Claim | null = null;
  let client: ClientRequest | null = null;
  const late = async () => {
    claim = await unread.read(async () => {
      await setImmediate();
      client = readRequest(exchange, protocol);
      return client && client.standsAside === undefined ? toQuestion(exchange, protocol, client) : null;
    });
    return client && { client, ...(claim && { claim }) };
  };
  let reading: ReturnType<typeof late> | undefined;
  try {
    await exchangeAnswer(
      exchange,
      protocol,
      { sent: "raw", isUnread: true },
      {
        model: unread.model,
        session: unread.id,
        read() {
          reading ??= late();
          return reading;
        },
      },
    );
  } finally {
    (claim as Claim | null)?.release();
    unread.release();
  }
}
