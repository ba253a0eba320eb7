import { isRecord } from "@palimpsest/core/internal";
import { type Capabilities, PalimpsestError } from "@palimpsest/core/spec";
import type { ChatRequestOptions } from "@palimpsest/core/wire";

const defaultBaseURL = "https://api.openai.com/v1";

export interface ConnectionOptions extends ChatRequestOptions {
  /** Where the server is, with `/v1`; else `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseURL?: string;
  /** Else `OPENAI_API_KEY`. A server on this machine needs none. */
  readonly apiKey?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Where requests go and what the server there is like. */
export interface Connection {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  /** For messages. */
  readonly host: string;
  readonly isLoopback: boolean;
  readonly chat: ChatRequestOptions;
}

/** Throws `invalid-input` when the base URL is none, or has a secret in it. */
export function resolveConnection(model: string, options: ConnectionOptions): Connection {
  const { environment, extraBody } = options;
  const baseURL = (options.baseURL ?? environment.OPENAI_BASE_URL)?.trim() || defaultBaseURL;
  const url = URL.canParse(baseURL) ? new URL(baseURL) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new PalimpsestError(
      "invalid-input",
      "The base URL for the model is not an http or https address.",
      {
        fix: "Give baseURL or OPENAI_BASE_URL as http://localhost:11434/v1, for example.",
      },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new PalimpsestError("invalid-input", "The base URL for the model has a name or password in it.", {
      fix: "Take them out, and give the key as apiKey or OPENAI_API_KEY.",
    });
  }
  const isOpenAI = /(?:^|\.)openai\.(?:com|azure\.com)$/.test(url.hostname);
  const isRouter = /(?:^|\.)openrouter\.ai$/.test(url.hostname);
  // Behind an address nobody knows, these names are OpenAI's models, which refuse the other field.
  const isNewer = isOpenAI || /^(?:gpt-5|o\d)/.test(model);
  return {
    baseURL,
    apiKey: options.apiKey || environment.OPENAI_API_KEY || undefined,
    host: url.host,
    isLoopback: isLoopback(url.hostname),
    chat: {
      maxTokensField: options.maxTokensField ?? (isNewer ? "max_completion_tokens" : "max_tokens"),
      images: options.images ?? true,
      documents: options.documents ?? (isOpenAI || isRouter),
      ...(extraBody !== undefined && { extraBody }),
    },
  };
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

/**
 * The capabilities of every model behind chat completions, whatever its name says: the protocol sends no thinking back,
 * and has neither cache markers nor edits or compaction of the server's.
 */
export const chatCapabilities = {
  prefixBoundThinking: false,
  dropsUnboundThinking: false,
  contextManagement: false,
  cacheEdits: false,
  nativeCompaction: false,
  serverCompaction: false,
  cacheMarkers: false,
} as const satisfies Partial<Capabilities>;

/** Where servers say how many tokens a model takes: vLLM, OpenRouter, Groq, Mistral, llama.cpp. */
const windowFields = ["max_model_len", "context_length", "context_window", "max_context_length"];

/**
 * The capabilities of one model in a list of models. A server on this machine with a single model answers with it
 * whatever it is asked for, and so does this.
 */
export function readCapabilities(
  models: readonly unknown[],
  name: string,
  isLoopback: boolean,
): Partial<Capabilities> {
  const listed = models.filter(isRecord);
  const only = isLoopback && listed.length === 1 ? listed[0] : undefined;
  const model = listed.find(({ id }) => id === name) ?? only ?? {};
  const meta = isRecord(model.meta) ? model.meta : {};
  const provider = isRecord(model.top_provider) ? model.top_provider : {};
  const contextWindow = firstCount([
    ...windowFields.map((field) => model[field]),
    meta.n_ctx,
    meta.n_ctx_train,
  ]);
  const maxOutput = firstCount([model.max_completion_tokens, provider.max_completion_tokens]);
  return {
    ...chatCapabilities,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
  };
}

function firstCount(values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => Number.isInteger(value) && (value as number) > 0);
}
