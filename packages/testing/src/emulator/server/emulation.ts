import type { Clock, Ids } from "@palimpsest/core/spec";
import { createVirtualIds } from "../../virtual-clock.ts";
import { createPromptCache, type PromptCache } from "../cache/prompt-cache.ts";
import { minCachedTokens } from "../chat/measure-chat.ts";
import { datedName, type EmulatedModels, type FoundModel } from "../emulated-models.ts";
import type { AnswerModel } from "../emulator.ts";
import { isRecord } from "../request/wire-values.ts";
import { type RunningScript, runScript } from "../script/run-script.ts";
import type { Script } from "../script/script.ts";
import { defaultSecret } from "../thinking/seal.ts";
import type { WireBody } from "../wire.ts";
import { type AnswerMemory, createAnswerMemory } from "./answer-memory.ts";
import { type ApiError, apiError } from "./api-error.ts";
import type { SentBlock } from "./cut-blocks.ts";

/** Everything that requests change, in one place: a new one is a new emulator. */
export interface Emulation {
  readonly clock: Clock;
  readonly models: EmulatedModels;
  /** The model's name in the answer; absent: it does not say. */
  answeredName(asked: string, found: FoundModel): string | undefined;
  /** Signs thinking: what another emulator signed with another secret is forged here. */
  readonly secret: string;
  readonly ids: Ids;
  readonly cache: PromptCache;
  /** Of chat completions: nothing is shared with messages. */
  readonly chatCache: PromptCache;
  /** Keys that are good; any when absent. */
  readonly keys: readonly string[] | undefined;
  readonly memory: AnswerMemory;
  readonly threads: Threads;
  script: RunningScript;
  /** How many there were of a kind, this one counted. */
  count(kind: string): number;
}

export interface EmulationOptions {
  readonly clock: Clock;
  readonly models: EmulatedModels;
  readonly seed: string;
  readonly script: Script | undefined;
  readonly keys: readonly string[] | undefined;
  readonly answerModel: string | AnswerModel | undefined;
}

export function createEmulation(options: EmulationOptions): Emulation {
  const { clock, models, seed, script, keys, answerModel } = options;
  const counts = new Map<string, number>();
  const minimumPrefix = (model: string) => models.find(model)?.capabilities.minCachedPrefix ?? 0;
  return {
    clock,
    models,
    answeredName(asked, { model }) {
      if (answerModel === undefined) return datedName(model.id);
      return typeof answerModel === "string" ? answerModel : answerModel(asked);
    },
    secret: `${defaultSecret}${seed}`,
    ids: createVirtualIds(seed),
    cache: createPromptCache({ clock, minimumPrefix }),
    chatCache: createPromptCache({ clock, minimumPrefix: () => minCachedTokens }),
    keys,
    memory: createAnswerMemory(),
    threads: createThreads(),
    script: runScript(script),
    count(kind) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      return count;
    },
  };
}

const maxThreads = 50;
const maxContinued = 10_000;

/** Conversations that the server holds, so that clients send new messages only. */
interface Threads {
  /** The whole request: with what its thread holds in front, or as it is when it continues none. */
  resolve(body: WireBody): { readonly body: WireBody } | { readonly error: ApiError };
  /** The request was answered: if it belongs to a thread, the thread goes on from this answer, and only from it. */
  keep(messageId: string, body: WireBody, content: readonly SentBlock[]): void;
}

interface HeldBody {
  readonly system?: unknown;
  readonly tools?: unknown;
  readonly messages: readonly unknown[];
}

/** Holds the newest threads; an answer that was continued is held no longer. */
function createThreads(): Threads {
  const held = new Map<string, HeldBody>();
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
