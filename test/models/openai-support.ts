import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type {
  ContentBlock,
  Model,
  ModelEvent,
  ModelRequest,
  ModelResponse,
} from "../../packages/core/src/spec/index.ts";
import { type OpenAIOptions, openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import {
  createEmulator,
  createVirtualClock,
  createVirtualIds,
  type Emulator,
  type EmulatorOptions,
  type VirtualClock,
} from "../../packages/testing/src/index.ts";

export const name = "gpt-4.1";

export interface Emulated {
  readonly emulator: Emulator;
  readonly model: Model;
  readonly clock: VirtualClock;
}

/** An emulator for one test, and a model that talks to it. */
export async function emulateChat(
  script: EmulatorOptions = {},
  options: OpenAIOptions = {},
): Promise<Emulated> {
  const emulator = await createEmulator(script);
  onTestFinished(() => emulator.close());
  const clock = createVirtualClock();
  return {
    emulator,
    clock,
    model: modelAt(`${emulator.url}/v1`, { clock, apiKey: "sk-a-test-key", ...options }),
  };
}

export function modelAt(baseURL: string, options: OpenAIOptions = {}): Model {
  return openai(name, { baseURL, ids: createVirtualIds(), environment: {}, ...options });
}

/** A server that answers every request as the test wants it. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A server that answers every request with the same stream. */
export function serveStream(text: string): Promise<string> {
  return serve((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(text);
  });
}

export const requestOf = (...content: ContentBlock[]): ModelRequest => ({
  model: name,
  max_tokens: 1_000,
  messages: [{ role: "user", content }],
});

export const hello = requestOf({ type: "text", text: "Hello." });

export interface Collected {
  readonly events: readonly ModelEvent[];
  /** The last event, where the response came whole. */
  readonly response?: ModelResponse;
  /** The failure's code, where it did not. */
  readonly code?: string;
  readonly message?: string;
}

/** Everything a model gives; fails where something comes behind an end, or no end comes. */
export async function collect(
  model: Model,
  request: ModelRequest = hello,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: ModelEvent) => unknown = () => {},
): Promise<Collected> {
  const events: ModelEvent[] = [];
  let end: Omit<Collected, "events"> | undefined;
  for await (const result of model.stream(request, signal)) {
    if (end !== undefined) throw new Error("Something came behind the end.");
    if (!result.ok) end = { code: result.error.code, message: result.error.message };
    else {
      events.push(result.value);
      onEvent(result.value);
      if (result.value.type === "response-end") {
        const { type: _, ...response } = result.value;
        end = { response };
      }
    }
  }
  if (end === undefined) throw new Error("The stream has no end.");
  return { events, ...end };
}
