import Anthropic from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { onTestFinished } from "vitest";
import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayOptions,
} from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

export const key = "sk-ant-gateway-test-key-0123456789";
export const model = "claude-opus-4-5";

export interface Stage {
  readonly emulator: Emulator;
  readonly gateway: Gateway;
  readonly home: string;
  readonly events: GatewayEvent[];
  readonly anthropic: Anthropic;
  readonly openai: OpenAI;
}

/** A small window, for conversations that soon have no room. */
export const smallWindow = (tokens: number): EmulatorOptions => ({
  catalog: { capabilities: { "*": { contextWindow: tokens } } },
});

/** An emulator, a gateway in front of it, and both official SDKs pointed at the gateway. */
export async function stage(emulated: EmulatorOptions = {}, options: GatewayOptions = {}): Promise<Stage> {
  const emulator = await createEmulator(emulated);
  onTestFinished(() => emulator.close());
  const home = options.home ?? (await temporaryFolder());
  const { gateway, events } = await startGateway({ upstream: emulator.url, home, cwd: home, ...options });
  return { emulator, gateway, home, events, ...clientsOf(gateway.url) };
}

export async function startGateway(options: GatewayOptions) {
  const events: GatewayEvent[] = [];
  const gateway = await createGateway({ onEvent: (event) => events.push(event), ...options });
  onTestFinished(() => gateway.close());
  return { gateway, events };
}

export function clientsOf(url: string) {
  const anthropic = new Anthropic({
    baseURL: url,
    apiKey: key,
    authToken: null,
    maxRetries: 0,
    logLevel: "off",
  });
  const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0, logLevel: "off" });
  return { anthropic, openai };
}

export const requestEnds = (events: readonly GatewayEvent[]) =>
  events.filter((event) => event.type === "request-end");
