import { classifyFailure, createRuntime } from "@palimpsest/core/internal";
import {
  type Clock,
  fail,
  type Ids,
  isBlock,
  type Model,
  type ModelEvent,
  type ModelRequest,
  ok,
  PalimpsestError,
  type Result,
} from "@palimpsest/core/spec";
import { fromChatChunks, toChatRequest } from "@palimpsest/core/wire";
import type { OpenAI } from "openai";
import { rememberKeys } from "../model-keys.ts";
import { siblingName } from "../provider-of-name.ts";
import { withLiveness } from "../with-liveness.ts";
import { type ConnectionOptions, resolveConnection } from "./connection.ts";
import { createClient, maxTimerMs } from "./create-client.ts";
import { chatCapabilities, readCapabilities } from "./read-capabilities.ts";
import { refusedWords } from "./refused-words.ts";
import { withoutKey } from "./without-key.ts";

/** Models that think in silence take minutes for their first word, and so do long prompts on small machines. */
const defaultIdleTimeoutMs = 600_000;
const listTimeoutMs = 30_000;
/** Servers that have no list of models say so. */
const hasNoList: ReadonlySet<unknown> = new Set([404, 405, 501]);

export interface OpenAIOptions extends Partial<ConnectionOptions> {
  /** Instead of one that is made here: its own address and key hold then. */
  readonly client?: OpenAI;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Silence for longer than this ends a stream with `stalled`: 10 minutes unless said otherwise. */
  readonly idleTimeoutMs?: number;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A model behind chat completions: OpenAI, Ollama, vLLM, llama.cpp, OpenRouter and their like. The SDK is loaded with
 * the first request. Throws `invalid-input` when the base URL is none; a missing key is a failure of the request.
 */
export function openai(model: string, options: OpenAIOptions = {}): Model {
  const runtime = createRuntime();
  const { clock = runtime.clock, ids = runtime.ids, environment = runtime.environment } = options;
  const { idleTimeoutMs: idleMs = defaultIdleTimeoutMs, client, headers } = options;
  const baseURL = client?.baseURL ?? options.baseURL;
  const connection = resolveConnection(model, { ...options, ...(baseURL && { baseURL }), environment });
  const { host: provider, isLoopback, apiKey } = connection;
  const isKeyMissing = client === undefined && apiKey === undefined && !isLoopback;
  let loading: Promise<OpenAI> | undefined;

  const load = () => {
    loading ??=
      client === undefined ? createClient(connection, environment, headers) : Promise.resolve(client);
    return loading;
  };

  function toError(cause: unknown, signal?: AbortSignal): PalimpsestError {
    const error = classifyFailure(cause, { provider, model, ...(signal && { signal }) });
    return withoutKey(error, apiKey ?? client?.apiKey ?? undefined);
  }

  /** Never throws: what the SDK throws comes as the last item. */
  async function* open(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Item> {
    try {
      const { body } = toChatRequest(request, connection.chat);
      const { chat } = await load();
      const sending = { signal, maxRetries: 0, timeout: maxTimerMs, ...(client && headers && { headers }) };
      for await (const chunk of await chat.completions.create(body, sending)) yield { chunk };
    } catch (cause) {
      yield { cause };
    }
  }

  /** Chunks, with every failure in the words of the project; the caller's abort is the last word. */
  async function* receive(request: ModelRequest, signal: AbortSignal): AsyncGenerator<Result<unknown>> {
    if (isKeyMissing) {
      yield missingKey(provider);
      return;
    }
    const stop = new AbortController();
    const source = open(request, AbortSignal.any([signal, stop.signal]));
    try {
      for await (const item of withLiveness(source, { clock, idleMs, onStall: () => stop.abort() })) {
        if (signal.aborted) break;
        if (!item.ok) yield item;
        else if ("cause" in item.value)
          yield {
            ok: false,
            error: withRefusedPlace(toError(item.value.cause, signal), item.value.cause, request),
          };
        else yield ok(item.value.chunk);
      }
      if (signal.aborted) yield fail("aborted", `The request to ${model} was aborted.`);
    } finally {
      stop.abort();
    }
  }

  const made: Model = {
    name: model,
    sibling(other) {
      const asked = siblingName(other, model, "openai");
      return asked === undefined ? undefined : openai(asked, options);
    },
    async *stream(request, signal): AsyncGenerator<Result<ModelEvent>> {
      try {
        yield* fromChatChunks(receive(request, signal), { ids, model, takenIds: callIds(request) });
      } catch (cause) {
        yield { ok: false, error: toError(cause, signal) };
      }
    },
    async capabilities(signal) {
      if (isKeyMissing) return missingKey(provider);
      try {
        const { models } = await load();
        const { data } = await models.list({
          maxRetries: 0,
          timeout: listTimeoutMs,
          ...(signal && { signal }),
        });
        return ok(readCapabilities(Array.isArray(data) ? data : [], model, isLoopback));
      } catch (cause) {
        const { status } = cause as { readonly status?: unknown };
        return hasNoList.has(status) ? ok(chatCapabilities) : { ok: false, error: toError(cause, signal) };
      }
    },
  };
  /** Behind its scheme, where a header has one. */
  const inHeaders = Object.values(headers ?? {}).map((value) => value.trim().split(/\s+/).at(-1));
  return rememberKeys(made, () => [apiKey, client?.apiKey, ...inHeaders]);
}

/** What the server counts by its own messages, by those of the request. */
function withRefusedPlace(error: PalimpsestError, cause: unknown, request: ModelRequest): PalimpsestError {
  if (error.code !== "request-invalid") return error;
  const { param } = (cause ?? {}) as { readonly param?: unknown };
  const words = typeof param === "string" ? `${param}: ${error.message}` : error.message;
  const refused = refusedWords(request, words);
  if (refused === undefined) return error;
  const { code, message, fix, retryable, facts } = error;
  return new PalimpsestError(code, message, {
    ...(fix !== undefined && { fix }),
    retryable,
    facts: { ...facts, refused },
  });
}

type Item = { readonly chunk: unknown } | { readonly cause: unknown };

function missingKey(host: string) {
  return fail("unauthenticated", `There is no API key for ${host}.`, {
    fix: "Set OPENAI_API_KEY, or give apiKey.",
  });
}

function callIds({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (isBlock(block, "tool_use") ? block.id : [])),
  );
}
