import type Anthropic from "@anthropic-ai/sdk";
import type { ServerSentEvent } from "@anthropic-ai/sdk/core/streaming";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { AnthropicClient, AnthropicSettings } from "./anthropic-options.ts";

/** A client and what reads its streams. */
export interface Connection {
  readonly client: AnthropicClient;
  readonly rawEvents: AnthropicSdk["rawEvents"];
  /** Values that must not be seen in any message. */
  readonly secrets: readonly string[];
}

const provider = "Anthropic";

/** The client that was given, or one of the official SDK that reads no key by itself and prints nothing. */
export async function connect(settings: AnthropicSettings): Promise<Result<Connection>> {
  const { client, apiKey, baseURL } = settings;
  if (client === undefined) {
    const wrong = checkKey(apiKey);
    if (wrong !== undefined) return wrong;
  }
  const sdk = await loadSdk();
  if (!sdk.ok) return sdk;
  const { Anthropic, rawEvents } = sdk.value;
  if (client !== undefined) {
    const secrets = [client.apiKey, client.authToken].filter((secret) => typeof secret === "string");
    return ok({ client, rawEvents, secrets });
  }
  const own = new Anthropic({ apiKey, authToken: null, webhookKey: null, baseURL, logLevel: "off" });
  return ok({ client: own, rawEvents, secrets: apiKey === undefined ? [] : [apiKey] });
}

function checkKey(apiKey: string | undefined): Result<never> | undefined {
  if (apiKey === undefined) {
    return fail("unauthenticated", `There is no key for ${provider}.`, {
      fix: "Set ANTHROPIC_API_KEY, or give the option apiKey.",
    });
  }
  if (/[^\x21-\x7e]/.test(apiKey)) {
    return fail("unauthenticated", `The key for ${provider} has spaces or characters that no key has.`, {
      fix: "Copy it again into ANTHROPIC_API_KEY, or into the option apiKey.",
    });
  }
  return undefined;
}

/** The parts of the official SDK that are used. */
interface AnthropicSdk {
  readonly Anthropic: typeof Anthropic;
  /** The events of a stream as they come, pings too. */
  readonly rawEvents: (response: Response) => AsyncGenerator<ServerSentEvent, void, unknown>;
}

/** Loads the official SDK at the first request, not before: it is large. */
export async function loadSdk(
  load: () => Promise<AnthropicSdk> = loadOfficial,
): Promise<Result<AnthropicSdk>> {
  try {
    return ok(await load());
  } catch (cause) {
    return fail("not-found", "The package @anthropic-ai/sdk cannot be loaded.", {
      fix: "Install it: npm install @anthropic-ai/sdk",
      cause,
    });
  }
}

async function loadOfficial(): Promise<AnthropicSdk> {
  const [{ Anthropic }, { Stream }] = await Promise.all([
    import("@anthropic-ai/sdk"),
    import("@anthropic-ai/sdk/core/streaming"),
  ]);
  return { Anthropic, rawEvents: (response) => Stream.rawEvents(response) };
}
