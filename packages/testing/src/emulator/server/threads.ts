import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";
import { type ApiError, apiError } from "./api-error.ts";
import type { SentBlock } from "./cut-blocks.ts";

const maxThreads = 50;
const maxContinued = 10_000;

/** Conversations that the server holds, so that clients send new messages only. */
export interface Threads {
  /** The whole request: with what its thread holds in front, or as it is when it continues none. */
  resolve(body: WireBody): { readonly body: WireBody } | { readonly error: ApiError };
  /** The request was answered: if it belongs to a thread, the thread goes on from this answer, and only from it. */
  keep(messageId: string, body: WireBody, content: readonly SentBlock[]): void;
}

interface Held {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly unknown[];
}

/** Holds the newest threads; an answer that was continued is held no longer. */
export function createThreads(): Threads {
  const held = new Map<string, Held>();
  const continued = new Set<string>();

  return {
    resolve(body) {
      const previous = previousOf(body);
      if (previous === undefined) return { body };
      const thread = held.get(previous);
      if (thread === undefined) return { error: continued.has(previous) ? continuedTwice : notFound };
      if (body.system !== undefined || body.tools !== undefined) return { error: changed };
      const added = Array.isArray(body.messages) ? body.messages : [];
      return { body: { ...body, ...thread, messages: [...thread.messages, ...added] } };
    },
    keep(messageId, body, content) {
      if (!isRecord(body.thread)) return;
      const previous = previousOf(body);
      if (previous !== undefined) {
        held.delete(previous);
        continued.add(previous);
      }
      const { system, tools, messages } = body;
      const answer = content.length === 0 ? [] : [{ role: "assistant", content }];
      held.set(messageId, {
        ...(system !== undefined && { system }),
        ...(tools !== undefined && { tools }),
        messages: [...(messages as readonly unknown[]), ...answer],
      });
      for (const oldest of held.keys()) if (held.size > maxThreads) held.delete(oldest);
      for (const oldest of continued) if (continued.size > maxContinued) continued.delete(oldest);
    },
  };
}

function previousOf({ thread }: WireBody): string | undefined {
  return isRecord(thread) && thread.type === "continue" ? String(thread.previous_message_id) : undefined;
}

const notFound: ApiError = {
  ...apiError("not_found_error", "No usable thread state was found for `previous_message_id`."),
  details: { error_code: "thread_not_found" },
};

const continuedTwice: ApiError = {
  ...apiError(
    "invalid_request_error",
    "The response that `previous_message_id` names was already continued.",
  ),
  details: { error_code: "thread_already_continued" },
};

const changed: ApiError = {
  ...apiError("invalid_request_error", "`system` and `tools` are those that the thread was created with."),
  details: { error_code: "thread_fingerprint_mismatch" },
};
