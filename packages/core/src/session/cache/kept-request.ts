import {
  type ErrorCode,
  fail,
  type Message,
  type ModelRequest,
  type ModelResponse,
  ok,
  type PalimpsestError,
  type Result,
  type Usage,
} from "../../spec/index.ts";
import type { CacheTtl } from "../../view/economics/request-gaps.ts";
import { withoutLongSuffix } from "../../view/window/window.ts";
import type { SessionHandle } from "../loop-port.ts";
import type { SessionParts } from "../session-parts.ts";
import { answeredPrefixes } from "./answered-prefix.ts";
import { cacheLife } from "./cache-watch.ts";

/** The newest answered request of a session, in the form that is read again. */
export interface KeptRequest {
  /** Of its answer: what it left in the cache. */
  readonly usage: Usage;
  /** When it was sent: its lifetime and the pause behind it count from here. */
  readonly askedAtMs: number;
  readonly ttl: CacheTtl;
  /** Where parts of it are marked for different lifetimes; `ttl` is the shortest of them. */
  readonly dearestTtl?: CacheTtl;
  /** How long the provider is believed to keep what nobody asks for. */
  readonly lifeMs: number;
  /** Of the shortest answer that the API gives to it. */
  readonly answerTokens: number;
  /**
   * Sends it once, with that answer. Errors `aborted` and `malformed-response` may have been charged, others have not.
   */
  read(signal: AbortSignal): Promise<Result<CacheRead>>;
}

/** Whether an answer may stand behind the error of a read that was paid for. */
export function mayBeCharged({ code }: PalimpsestError): boolean {
  return code === "aborted" || code === "malformed-response";
}

/** The answer to a read. */
export type CacheRead = Pick<ModelResponse, "id" | "model" | "usage" | "billed">;

/** The session's own newest request, where it asks a model by itself. */
export interface OwnRequest {
  /** A request was made. */
  sent(request: ModelRequest): void;
  /** The newest one, or why it cannot be read. */
  kept(): Result<KeptRequest>;
}

const soon = "Wait for the answer, or for the next one.";

export function createOwnRequest(parts: () => SessionParts, handle: () => SessionHandle): OwnRequest {
  let newest: ModelRequest | undefined;

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<Result<CacheRead>> {
    const { loop } = parts();
    return loop?.ask ? loop.ask(handle(), request, signal, { tries: 1 }) : noAsker();
  }

  return {
    sent(request) {
      newest = request;
    },
    kept() {
      const { state, head, lifetime } = parts();
      const { askedAtMs } = state.statistics;
      const [prefix] = answeredPrefixes(state);
      const message: Message | undefined = prefix && state.messageOf(prefix.entry);
      if (!newest || askedAtMs === undefined || !message?.usage)
        return refuseRead(
          "not-found",
          "No request of this process was answered yet: there is nothing to keep warm.",
          soon,
        );
      if (!prefix?.stands)
        return refuseRead(
          "conflict",
          "The conversation has changed since the newest request: the next one writes anew.",
        );
      if (newest.model !== withoutLongSuffix(head.model))
        return refuseRead("conflict", "The session asks another model than the newest request did.");
      if (compacts(newest))
        return refuseRead(
          "conflict",
          "The newest request may be compacted by the API: it is not sent twice.",
        );
      const answerTokens = shortestAnswer(newest);
      const request = { ...newest, max_tokens: answerTokens };
      return ok({
        usage: message.usage,
        askedAtMs,
        ttl: lifetime.ttl,
        lifeMs: cacheLife(parts()).believedMs,
        answerTokens,
        read: (signal) => ask(request, signal),
      });
    },
  };
}

/** The prefix is the same to the byte, thinking included: its budget is the least that an answer may have. */
export function shortestAnswer({ thinking }: { readonly thinking?: unknown }): number {
  const { type, budget_tokens: budget } = (thinking ?? {}) as {
    readonly type?: unknown;
    readonly budget_tokens?: unknown;
  };
  return type === "enabled" && typeof budget === "number" ? budget + 1 : 1;
}

/** Whether the API may compact the conversation on the way to an answer: that is no read. */
function compacts(request: ModelRequest): boolean {
  const { edits = [] } = (request.context_management ?? {}) as {
    readonly edits?: readonly { readonly type?: unknown }[];
  };
  return edits.some(({ type }) => typeof type === "string" && type.startsWith("compact_"));
}

export function refuseRead(code: ErrorCode, message: string, fix?: string): Result<never> {
  return fail(code, message, fix === undefined ? {} : { fix });
}

function noAsker(): Result<never> {
  return refuseRead(
    "no-model",
    "This session only keeps a context: nothing in it asks a model.",
    "Open it with “openSession” of the package itself.",
  );
}
