import type Anthropic from "@anthropic-ai/sdk";
import {
  createRuntime,
  hasLongSuffix,
  isRecord,
  longWindowBeta,
  withoutLongSuffix,
} from "@palimpsest/core/internal";
import { type Capabilities, type Clock, PalimpsestError } from "@palimpsest/core/spec";

/** The parts used of a client of the official SDK, those for other clouds among them. */
export type AnthropicClient = Pick<Anthropic, "get" | "post"> &
  Partial<Pick<Anthropic, "apiKey" | "authToken">>;

export interface AnthropicOptions {
  /** A client of the official SDK, with its own address and key. Its retries are not used. */
  readonly client?: AnthropicClient;
  /** Else `ANTHROPIC_BASE_URL`, else Anthropic's own. */
  readonly baseURL?: string;
  /** Else `ANTHROPIC_API_KEY`. */
  readonly apiKey?: string;
  /** Where the two names above are looked up; the process's own when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** How long nothing at all may come before the request has `stalled`: 2 minutes. Node's own limit is 5. */
  readonly idleTimeoutMs?: number;
  /** Sent with every request, besides its own. */
  readonly defaultBetas?: readonly string[];
}

export interface AnthropicSettings {
  /** Without the suffix that asks for a window. */
  readonly model: string;
  readonly client?: AnthropicClient;
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly clock: Clock;
  readonly idleMs: number;
  readonly betas: readonly string[];
}

/** The API pings while it thinks; what is silent this long has gone. */
const defaultIdleMs = 120_000;
const officialURL = "https://api.anthropic.com";

/** Options with what the environment says; throws `invalid-input` where they cannot be meant. */
export function toSettings(name: string, options: AnthropicOptions): AnthropicSettings {
  const runtime = createRuntime();
  const { environment = runtime.environment, clock = runtime.clock } = options;
  const { client, idleTimeoutMs = defaultIdleMs, defaultBetas = [] } = options;
  const model = withoutLongSuffix(name);
  const baseURL = options.baseURL ?? (environment.ANTHROPIC_BASE_URL || officialURL);
  if (model.trim() === "") throw invalid("model", "The model has no name.", "Name one: claude-opus-4-5.");
  if (!(idleTimeoutMs > 0)) {
    throw invalid("idleTimeoutMs", `idleTimeoutMs is ${idleTimeoutMs}.`, "Give milliseconds, more than 0.");
  }
  if (!URL.canParse(baseURL) || !/^https?:$/.test(new URL(baseURL).protocol)) {
    throw invalid(
      "baseURL",
      `“${baseURL}” is not the address of a server.`,
      `Give one such as ${officialURL}.`,
    );
  }
  return {
    model,
    ...(client && { client }),
    baseURL,
    apiKey: (options.apiKey ?? environment.ANTHROPIC_API_KEY)?.trim() || undefined,
    clock,
    idleMs: idleTimeoutMs,
    betas: hasLongSuffix(name) ? [...defaultBetas, longWindowBeta] : defaultBetas,
  };
}

function invalid(path: string, message: string, fix: string): PalimpsestError {
  return new PalimpsestError("invalid-input", message, { path, fix });
}

/** The Models API's facts about a model, as far as we have words for them. */
export function toCapabilities(model: unknown): Partial<Capabilities> {
  const { max_input_tokens, max_tokens, capabilities } = isRecord(model) ? model : {};
  const { context_management, compaction } = isRecord(capabilities) ? capabilities : {};
  const management = isRecord(context_management) ? context_management : {};
  const contextManagement = isSupported(context_management);
  const nativeCompaction = isSupported(compaction);
  const serverCompaction = isSupported(management.compact_20260112);
  const cacheEdits = isSupported(management.cache_edits);
  return {
    ...(isLimit(max_input_tokens) && { contextWindow: max_input_tokens }),
    ...(isLimit(max_tokens) && { maxOutput: max_tokens }),
    ...(contextManagement !== undefined && { contextManagement }),
    ...(nativeCompaction !== undefined && { nativeCompaction }),
    ...(serverCompaction !== undefined && { serverCompaction }),
    ...(cacheEdits !== undefined && { cacheEdits }),
  };
}

function isSupported(capability: unknown): boolean | undefined {
  return isRecord(capability) && typeof capability.supported === "boolean" ? capability.supported : undefined;
}

function isLimit(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
