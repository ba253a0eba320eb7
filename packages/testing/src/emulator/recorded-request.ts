import type { AppliedEdit } from "./edits/clear-tool-uses.ts";
import type { RequestViolation, WireBody, WireUsage } from "./wire.ts";

export type Endpoint = "messages" | "chat_completions" | "count_tokens" | "models" | "model" | "unknown";

/**
 * `refused`: the emulator found the request wrong. `fault`: the script wanted it to fail. `abandoned`: the client left
 * before the end.
 */
export type RequestOutcome = "pending" | "answered" | "refused" | "fault" | "abandoned";

/** A request and what became of it. What the script sees is the same object, so `outcome` is `pending` there. */
export interface RecordedRequest {
  /** Counts every request from 1, in the order of arrival. */
  readonly number: number;
  /** Counts the requests to the same endpoint from 1. */
  readonly ordinal: number;
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Keys, tokens and cookies are masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** By the emulator's clock. */
  readonly startedAt: number;
  /** The body that was sent, as parsed; gone once newer requests took its place. */
  readonly body?: WireBody;
  /**
   * The model's input, in the shape of the Messages API: in a thread, `body` with what the server held in front of it;
   * of a chat completion, `body` converted; else `body` itself.
   */
  readonly whole?: WireBody;
  readonly bodyBytes: number;
  readonly model?: string;
  readonly isStream: boolean;
  /** The first 100: a body may break a rule once per byte. */
  readonly violations: readonly RequestViolation[];
  /** As the emulator counts them, with what was dropped and what was edited out left out. */
  readonly promptTokens?: number;
  /** The server's own edits of an accepted request: as in the response, also where that has no place for them. */
  readonly appliedEdits?: readonly AppliedEdit[];
  /** Index of the last block of the prompt that was read from the cache, -1 without a hit. */
  readonly hitBlock?: number;
  /** Where that block stands, in the request as edited: `messages.4.content.1`. */
  readonly hitPath?: string;
  /** Why the cache gave nothing, or less than before. */
  readonly missReason?: string;
  readonly usage?: WireUsage;
  readonly outcome: RequestOutcome;
  readonly status?: number;
  readonly error?: { readonly type: string; readonly message: string };
  readonly requestId: string;
  readonly messageId?: string;
  readonly stopReason?: string;
  /** The blocks of the answer; gone together with `body` and `whole`. */
  readonly content?: readonly unknown[];
  /** How many events of a stream were sent. */
  readonly events: number;
}
