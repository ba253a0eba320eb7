import { PalimpsestError } from "@palimpsest/core/spec";
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
    throw new PalimpsestError("invalid-input", "The base URL for the model is no http or https address.", {
      fix: "Give baseURL or OPENAI_BASE_URL as http://localhost:11434/v1, for example.",
    });
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
