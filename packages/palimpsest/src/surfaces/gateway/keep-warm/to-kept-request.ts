import { type KeptRequest, longTtlMs, shortTtlMs } from "@palimpsest/core/internal";
import { type ErrorCode, fail, ok } from "@palimpsest/core/spec";
import type { Choice } from "../exchange/choose-request.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Match } from "../match/match-conversation.ts";
import type { ClientRequest, Protocol, RelayedAnswer } from "../protocol/protocol.ts";
import { askUpstream, type UpstreamInput } from "../relay/ask-upstream.ts";
import { forwardHeaders } from "../relay/forward-headers.ts";

/** A request of a client's that was answered. */
export interface AnsweredRequest {
  readonly choice: Choice;
  readonly client: ClientRequest;
  readonly kind: Match["kind"];
  readonly answer: RelayedAnswer;
  readonly askedAtMs: number;
}

/** A conversation is one once the client has gone on with it: titles, checks and branches for a moment never are. */
const goesOn: ReadonlySet<Match["kind"]> = new Set(["continue", "edit", "named"]);

/**
 * What is read again so that the prompt stays in the cache: the request as it was sent, to the same server, with the
 * client's own headers. Nothing where the client has marked nothing, nothing was cached, or somebody else looks after the
 * context.
 */
export function toKeptRequest(
  { parts, request, body, route, method, target }: Exchange,
  protocol: Protocol,
  { choice, client, kind, answer, askedAtMs }: AnsweredRequest,
): KeptRequest | undefined {
  const { sent, written } = choice;
  const { cacheTtl: ttl, dearestTtl, model } = client;
  const { usage } = answer;
  if (!parts.keepsWarm || ttl === undefined || !goesOn.has(kind)) return undefined;
  if (sent !== "raw" && sent !== "rewritten") return undefined;
  if (usage.cacheRead + usage.cacheCreation === 0) return undefined;
  const short = protocol.shorten?.(written?.body ?? body);
  if (!short) return undefined;
  const { agents, limits, token } = parts;
  const { betas = [] } = written ?? {};
  const headers = forwardHeaders(request.rawHeaders, {
    isRead: true,
    isRepeated: true,
    betas,
    ...(token !== undefined && { token }),
  });
  const { upstream } = route;
  const again = {
    upstream,
    agents,
    method,
    target,
    headers,
    body: short.body,
    idleMs: limits.upstreamIdleMs,
  };
  return {
    usage,
    askedAtMs,
    ttl,
    ...(dearestTtl && sent === "raw" && { dearestTtl }),
    lifeMs: ttl === "1h" ? longTtlMs : shortTtlMs,
    answerTokens: short.answerTokens,
    read: (signal) => readOnce({ ...again, signal }, protocol, model),
  };
}

/** Errors say what happened by number and code alone: a provider's words may repeat what was sent. */
async function readOnce(
  input: UpstreamInput,
  protocol: Protocol,
  model: string,
): ReturnType<KeptRequest["read"]> {
  let status: number | undefined;
  const tap = protocol.createTap({ isStream: false, model });
  try {
    const answer = await askUpstream(input);
    status = answer.statusCode ?? 0;
    if (status !== 200) {
      answer.destroy();
      return fail(codeOf(status), `The provider answered a read with ${status}.`);
    }
    for await (const chunk of answer as AsyncIterable<Buffer>) tap.take(chunk);
    if (!answer.complete) return unheard();
  } catch (cause) {
    if (input.signal.aborted) return fail("aborted", "The read was given up.");
    return status === undefined && isUnsent(cause) ? unreachable() : unheard();
  }
  const answer = tap.end();
  if (!answer) return unheard();
  const { id, usage } = answer;
  return ok({ id: id === "" ? "unnamed" : id, model: answer.model === "" ? model : answer.model, usage });
}

const unheard = () =>
  fail("malformed-response", "The answer to a read did not come whole, or cannot be read.");
const unreachable = () => fail("disconnected", "The provider's server cannot be reached for a read.");

/** There was no connection on which anything could have been sent. */
function isUnsent(cause: unknown): boolean {
  const { syscall } = cause as { readonly syscall?: unknown };
  return syscall === "connect" || syscall === "getaddrinfo";
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return "unauthenticated";
  if (status === 429) return "rate-limited";
  return status >= 500 ? "server-error" : "request-invalid";
}
