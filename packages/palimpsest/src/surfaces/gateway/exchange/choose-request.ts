import { parseJson } from "@palimpsest/core/internal";
import { PalimpsestError, type PrepareOptions } from "@palimpsest/core/spec";
import { withTimeLimit } from "../../../signals.ts";
import type { SentForm } from "../gateway.ts";
import { chainTurns, isThoughtThrough, type Match, sampleBody } from "../match/match-conversation.ts";
import {
  type ClientRequest,
  createWholeBody,
  type Protocol,
  type WrittenRequest,
} from "../protocol/protocol.ts";
import { askUpstream } from "../relay/ask-upstream.ts";
import { forwardHeaders, sessionHeader } from "../relay/forward-headers.ts";
import type { UpstreamAnswer } from "../relay/upstreams.ts";
import type { Claim, ClaimInput } from "../session/conversations.ts";
import { type Exchange, send } from "./exchange.ts";

/** The request that is sent for a client's, and why. */
export interface Choice {
  readonly sent: SentForm;
  readonly isUnread?: boolean;
  readonly written?: WrittenRequest;
  readonly reason?: string;
  /** The layers that acted. */
  readonly layers?: readonly string[];
}

/** The session's version of a request. */
interface PreparedChoice extends Choice {
  /** Steps that a valid request needed just now, or what was refused before. */
  readonly repairs: number;
}

/** Finds the conversation of a request, and what is sent for it. Throws where it cannot be found. */
export async function chooseRequest(
  exchange: Exchange,
  protocol: Protocol,
  client: ClientRequest,
): Promise<{ readonly claim?: Claim; readonly choice: Choice }> {
  const { parts, body } = exchange;
  const { model, standsAside } = client;
  if (standsAside !== undefined) return { choice: { sent: "observed", reason: standsAside } };
  askWindow(exchange, protocol, client);
  const claim = await parts.conversations.claim(toInput(exchange, protocol, client));
  const { kind } = claim;
  if (parts.isObserving) return { claim, choice: { sent: "observed", reason: "the gateway only observes" } };
  const isBinding =
    protocol.name === "anthropic" && parts.catalog.capabilities(model).value.prefixBoundThinking;
  const isBound = isBinding && client.turns.some(({ content }) => isThoughtThrough(content));
  const isOwn = kind === "first" || kind === "continue" || kind === "retry";
  if (isBound && !isOwn) {
    return {
      claim,
      choice: { sent: "observed", reason: "its thinking is bound to another prefix" },
    };
  }
  const window = parts.windows.known(protocol, model);
  const facts = { kind, bytes: body.length, isBound, ...(window !== undefined && { window }) };
  if (mayForwardFirst(facts)) return { claim, choice: { sent: "raw" } };
  try {
    const prepare = () => prepareChoice(claim, protocol, client);
    const isSlow = parts.compactBy === "model" && client.isStream;
    return { claim, choice: await (isSlow ? withPings(exchange, protocol, prepare) : prepare()) };
  } catch (cause) {
    parts.emit({ type: "gateway-failure", code: codeOf(cause), step: "prepare", session: claim.id });
    return { claim, choice: { sent: "raw" } };
  }
}

/** The input by which a conversation is found and opened. */
export function toInput(
  { parts, request, body }: Exchange,
  protocol: Protocol,
  client: ClientRequest,
): ClaimInput {
  const { model, system, tools, fields, cacheTtl, turns } = client;
  const named = request.headers[sessionHeader];
  return {
    protocol: protocol.name,
    async head() {
      const window = await parts.windows.find(protocol, client);
      const { url } = parts.upstreams[protocol.name];
      const asked = () => protocol.createModel(model, url, request.headers);
      return {
        ...{ model, system, tools, fields },
        ...(window !== undefined && { window }),
        ...(cacheTtl && { cacheTtl }),
        ...(parts.compactBy === "model" && { asked }),
      };
    },
    turns,
    chain: chainTurns(turns),
    body: sampleBody(body),
    ...(typeof named === "string" && { named }),
  };
}

/** Lets the session work, and takes its request where that is another than the client's. */
export async function prepareChoice(
  claim: Claim,
  protocol: Protocol,
  client: ClientRequest,
  options?: PrepareOptions,
): Promise<PreparedChoice> {
  const conversation = await claim.conversation();
  const { request, isRewritten, acted, repairs } = await conversation.prepare(options);
  const layers = acted.map(({ layer }) => layer);
  if (!isRewritten) return { sent: "raw", layers, repairs };
  return { sent: "rewritten", written: protocol.write(client, request), layers, repairs };
}

export function sendChoice(exchange: Exchange, { written }: Choice): Promise<UpstreamAnswer> {
  return send(exchange, written?.body ?? exchange.body, { isRead: true, betas: written?.betas ?? [] });
}

/** Failures are told by their code: words may hold what was said. */
export function codeOf(cause: unknown): string {
  return PalimpsestError.isInstance(cause) ? cause.code : "unexpected";
}

/** A client that hears nothing for longer than this may give up. */
const pingMs = 5_000;

/** Keeps a client that waits for a stream from leaving while a model sums up the past. */
async function withPings<Value>(
  { response, parts }: Exchange,
  { ping }: Protocol,
  work: () => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController();
  const watch = async () => {
    for (;;) {
      await parts.clock.sleep(pingMs, ended.signal);
      if (ended.signal.aborted || response.destroyed) return;
      if (!response.headersSent) {
        response.writeHead(200, {
          "content-type": "text/event-stream; charset=utf-8",
          "cache-control": "no-cache",
        });
      }
      response.write(ping);
    }
  };
  const watching = watch();
  try {
    return await work();
  } finally {
    ended.abort();
    await watching;
  }
}

/** A provider that does not say it soon is not waited for. */
const patienceMs = 3_000;
const bodyHeaders = /^(?:content-type|content-encoding|content-length|accept)$/i;

/** Asks the provider how much the model takes, beside the request and with its key; once a model. */
function askWindow({ parts, request }: Exchange, protocol: Protocol, { model }: ClientRequest): void {
  const { upstreams, agents, windows, token, clock } = parts;
  windows.ask(protocol, model, async (target) => {
    const raw = forwardHeaders(request.rawHeaders, { isRead: true, ...(token !== undefined && { token }) });
    const headers = raw.filter((_, at) => !bodyHeaders.test(raw[at - (at % 2)] ?? ""));
    return withTimeLimit(patienceMs, clock, async (late) => {
      const answer = await askUpstream({
        upstream: upstreams[protocol.name],
        agents,
        method: "GET",
        target,
        headers,
        body: Buffer.alloc(0),
        signal: late,
        idleMs: patienceMs,
      });
      const body = createWholeBody();
      for await (const chunk of answer as AsyncIterable<Buffer>) body.take(chunk);
      return answer.statusCode === 200 ? parseJson(body.text() ?? "") : undefined;
    });
  });
}

/** Facts about a request before its session is looked at. */
interface ForwardFacts {
  readonly kind: Match["kind"];
  readonly bytes: number;
  /** Tokens that the model takes, where that is known for certain. */
  readonly window?: number;
  readonly isBound: boolean;
}

/** No result in a body as small as this is large enough to go to disk. */
const maxNewBytes = 45_000;
/** Tokens that fit into any window there is. */
const alwaysFits = 8_000;
/** Texts of every language have more bytes than this a token. */
const minBytesPerToken = 2;
/** Compaction begins above this part of every window. */
const quietPart = 0.5;

/**
 * Whether a request of a conversation that nothing was decided about can go out before anybody looks at it: it is so
 * small that no layer could act. Thinking that is bound to what was sent asks for knowing what that is. Pure.
 */
export function mayForwardFirst({ kind, bytes, window, isBound }: ForwardFacts): boolean {
  const isNew = kind === "first" || kind === "unknown" || kind === "branch";
  if (!isNew || isBound || bytes > maxNewBytes) return false;
  return bytes < (window === undefined ? alwaysFits : window * quietPart * minBytesPerToken);
}

/** Facts about a request before it is read, and about the conversation that it seems to go on with. */
interface UnreadFacts {
  readonly bytes: number;
  /** Of the request before. */
  readonly formerBytes: number;
  /** From where the newest response stands to the end. */
  readonly bytesBehindResponse: number;
  /** Prompt and answer of the newest response, as the provider counted them. */
  readonly countedTokens: number;
  /** Compaction begins here. */
  readonly autoTokens: number;
  readonly idleMs: number;
}

/** No result among so few new bytes is large enough to go to disk. */
const maxAddedBytes = 45_000;
/** Smaller ones are read in no time. */
const minBytes = 65_536;
/** Bytes a request may lose of its history, as markers that moved, before somebody has to look at it. */
const maxLostBytes = 1_000;
/** After this the prompt cache may be cold, and clearing free. */
const warmMs = 240_000;

/** Whether what is new in a request cannot make any layer act, whatever it says. Pure. */
export function mayForwardUnread(facts: UnreadFacts): boolean {
  const { bytes, formerBytes, bytesBehindResponse, countedTokens, autoTokens, idleMs } = facts;
  const added = Math.max(bytesBehindResponse, bytes - formerBytes);
  if (countedTokens === 0 || added > maxAddedBytes || idleMs >= warmMs) return false;
  if (bytes < minBytes || bytes < formerBytes - maxLostBytes) return false;
  return countedTokens + added / minBytesPerToken < autoTokens;
}
