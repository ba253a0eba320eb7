import type Anthropic from "@anthropic-ai/sdk";
import type { ServerSentEvent } from "@anthropic-ai/sdk/core/streaming";
import { fail, ok, type Result } from "@palimpsest/core/spec";

/** The parts of the official SDK that are used. */
export interface AnthropicSdk {
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
