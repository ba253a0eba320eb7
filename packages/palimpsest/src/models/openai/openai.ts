import { classifyFailure, createRuntime, toCallId, toChatMessages } from "@palimpsest/core/internal";
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
import { type ChatMedia, type ChatMessage, fromChatChunks, toChatRequest } from "@palimpsest/core/wire";
import type { OpenAI } from "openai";
import { rememberKeys, siblingName } from "../model-keys.ts";
import { withLiveness } from "../with-liveness.ts";
import {
  type Connection,
  type ConnectionOptions,
  chatCapabilities,
  readCapabilities,
  resolveConnection,
} from "./connection.ts";

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
            error: withRefusedLocation(toError(item.value.cause, signal), item.value.cause, request),
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

/** Translates the server's count by its own messages to those of the request. */
function withRefusedLocation(error: PalimpsestError, cause: unknown, request: ModelRequest): PalimpsestError {
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

/** The same error with the key masked, should a server have repeated it. */
function withoutKey(error: PalimpsestError, key: string | undefined): PalimpsestError {
  const holdsKey = key !== undefined && (error.message.includes(key) || String(error.cause).includes(key));
  if (!holdsKey) return error;
  const { code, fix, path, retryable, facts } = error;
  return new PalimpsestError(code, error.message.replaceAll(key, "***"), {
    ...(fix !== undefined && { fix }),
    ...(path !== undefined && { path }),
    retryable,
    facts,
  });
}

/** Waiting is judged by the caller's clock, not by the SDK: this is as long as a timer can be. */
const maxTimerMs = 2_147_483_647;

/**
 * The official SDK, loaded when it is needed for the first time. It reads nothing from the machine's environment that
 * was handed in here, tries nothing again and prints nothing. Without a key none is sent.
 */
async function createClient(
  { baseURL, apiKey }: Connection,
  environment: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenAI> {
  const sdk = await import("openai");
  return new sdk.OpenAI({
    baseURL,
    apiKey: apiKey ?? "none",
    adminAPIKey: null,
    organization: environment.OPENAI_ORG_ID ?? null,
    project: environment.OPENAI_PROJECT_ID ?? null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: maxTimerMs,
    logLevel: "off",
    defaultHeaders: { ...(apiKey === undefined && { authorization: null }), ...headers },
  });
}

const pattern = /\bmessages\.?\[(\d+)\](?:\.tool_calls\.?\[(\d+)\])?/;
const media: ChatMedia = { images: true, documents: true };

/**
 * The place in the request that a server has refused in the chat completion made of it: `messages.2.content.0: …`.
 * Undefined where its words name no message.
 */
function refusedWords(request: ModelRequest, words: string): string | undefined {
  const [, index, call] = pattern.exec(words) ?? [];
  if (index === undefined) return undefined;
  const chat = Number(index);
  const made = (count: number) => chatMessages(request, count);
  let [low, high] = [0, request.messages.length];
  if (made(0).length > chat || made(high).length <= chat) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (made(middle).length > chat) high = middle;
    else low = middle;
  }
  const block = blockOf(request, low, made(high)[chat], call);
  return `messages.${low}${block === undefined ? "" : `.content.${block}`}: ${words}`;
}

/** The first messages of a request in the server's form. */
function chatMessages({ system, messages }: ModelRequest, count: number): readonly ChatMessage[] {
  return toChatMessages({ ...(system && { system }), messages: messages.slice(0, count) }, media).messages;
}

/** The block that a tool message, or one of an assistant's calls, was made of. */
function blockOf(
  { messages }: ModelRequest,
  at: number,
  said: ChatMessage | undefined,
  call: string | undefined,
): number | undefined {
  const content = messages[at]?.content ?? [];
  const found = content.findIndex((block) =>
    said?.role === "tool"
      ? isBlock(block, "tool_result") && toCallId(block.tool_use_id) === said.tool_call_id
      : call !== undefined && block === content.filter((one) => isBlock(one, "tool_use"))[Number(call)],
  );
  return found === -1 ? undefined : found;
}
