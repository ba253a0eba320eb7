import { setImmediate } from "node:timers/promises";
import { parseJson } from "@palimpsest/core/internal";
import { countsOf } from "../gateway.ts";
import { toKeptRequest } from "../keep-warm/to-kept-request.ts";
import type { ClientRequest, Protocol, RelayedAnswer } from "../protocol/protocol.ts";
import { sessionHeader } from "../relay/forward-headers.ts";
import type { UpstreamAnswer } from "../relay/upstreams.ts";
import type { Claim, UnreadClaim } from "../session/conversations.ts";
import { type Choice, chooseRequest, codeOf, sendChoice, toInput } from "./choose-request.ts";
import type { Exchange } from "./exchange.ts";
import { isRefused, recoverAnswer } from "./recover-answer.ts";
import { type ExchangeOutcome, passThrough, relay, sayUnreachable } from "./relay.ts";

/** A request of a conversation: it goes to its session, and what the session makes of it goes to the provider. */
export async function manageRequest(exchange: Exchange, protocol: Protocol): Promise<void> {
  const { parts, request, body } = exchange;
  const isNamed = request.headers[sessionHeader] !== undefined;
  const input = { protocol: protocol.name, body, nowMs: parts.clock.now() };
  const unread = parts.isObserving || isNamed ? undefined : parts.conversations.unread(input);
  if (unread) return forwardUnread(exchange, protocol, unread);
  const read = readRequest(exchange, protocol);
  if (!read) return passThrough(exchange);
  const chosen = await chooseRequest(exchange, protocol, read).catch((cause) => {
    // Nothing that fails here may keep the client's request from going out.
    parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "match" });
    return null;
  });
  if (!chosen) return passThrough(exchange);
  const { claim, choice } = chosen;
  const reading: RequestReading = {
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
      return client && client.standsAside === undefined ? toInput(exchange, protocol, client) : null;
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

/** A request as it was understood, now or once there is time for it. */
interface RequestReading {
  readonly model: string;
  /** The session it belongs to, as far as anybody knows now. */
  readonly session?: string;
  /** Reads it where it was not read yet. */
  read(): Promise<{ readonly client: ClientRequest; readonly claim?: Claim } | null>;
}

/** A response that was whole, and its way into the log. */
interface RecordedAnswer {
  readonly answer: RelayedAnswer | null;
  readonly settled?: Promise<void>;
}

/** Sends what was chosen, relays what comes back, and writes it down. */
async function exchangeAnswer(
  exchange: Exchange,
  protocol: Protocol,
  chosen: Choice,
  reading: RequestReading,
): Promise<void> {
  const { parts, method, path } = exchange;
  const { model } = reading;
  let choice = chosen;
  let status: number | undefined;
  let outcome: ExchangeOutcome;
  let heard: RecordedAnswer = { answer: null };
  const askedAtMs = parts.clock.now();
  const record = (answer: RelayedAnswer | null) =>
    recordAnswer({ exchange, protocol, reading, askedAtMs, choice }, answer);
  try {
    let answer = await sendChoice(exchange, choice);
    const read = isRefused(answer) ? await reading.read() : null;
    if (read) ({ answer, choice } = await recoverAnswer({ exchange, protocol, choice, answer, ...read }));
    status = answer.statusCode;
    const tap = isReadable(answer) ? protocol.createTap({ model, isStream: isStream(answer) }) : undefined;
    const named = reading.session === undefined ? [] : [sessionHeader, reading.session];
    outcome = await relay(exchange, answer, named, (chunk) => {
      tap?.take(chunk);
      if (tap?.isWhole && heard.answer === null) heard = record(tap.end());
    });
    if (outcome === "whole" && heard.answer === null) heard = record(tap?.end() ?? null);
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
    ...(heard.answer && countsOf(heard.answer.usage)),
  });
}

/** What was sent for a client's request, and when. */
interface RecordInput {
  readonly exchange: Exchange;
  readonly protocol: Protocol;
  readonly reading: RequestReading;
  readonly askedAtMs: number;
  readonly choice: Choice;
}

/** The log is written beside the relay: the client may have its next request ready before the connection ends. */
function recordAnswer(
  { exchange, protocol, reading, askedAtMs, choice }: RecordInput,
  answer: RelayedAnswer | null,
): RecordedAnswer {
  if (!answer) return { answer };
  const { parts } = exchange;
  const settled = reading
    .read()
    .then((read) => {
      if (!read?.claim) return undefined;
      const { client, claim } = read;
      const answered = { choice, client, kind: claim.kind, answer, askedAtMs };
      return claim.settle(answer, toKeptRequest(exchange, protocol, answered));
    })
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
