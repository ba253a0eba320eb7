import Anthropic from "@anthropic-ai/sdk";
import { onTestFinished } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../packages/testing/src/index.ts";

export const model = "claude-opus-4-5";

/** An emulator for one test, and the official SDK pointed at it. Nothing is tried again unless the test says so. */
export async function emulate(
  options: EmulatorOptions = {},
): Promise<{ readonly emulator: Emulator; readonly client: Anthropic }> {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return { emulator, client: createClient(emulator) };
}

export function createClient(emulator: Emulator, options: object = {}): Anthropic {
  return new Anthropic({
    baseURL: emulator.url,
    apiKey: "sk-ant-not-a-real-key",
    authToken: null,
    maxRetries: 0,
    logLevel: "off",
    ...options,
  });
}

/** The smallest request that is valid. */
export const hello = {
  model,
  max_tokens: 1_000,
  messages: [{ role: "user" as const, content: "Hello." }],
};

export const readTool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: {
    type: "object" as const,
    properties: { file_path: { type: "string" } },
    required: ["file_path"],
  },
};
