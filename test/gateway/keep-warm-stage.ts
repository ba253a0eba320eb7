import type Anthropic from "@anthropic-ai/sdk";
import type { Settings } from "../../packages/core/src/spec/index.ts";
import type { GatewayEvent, GatewayOptions } from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import {
  createVirtualClock,
  type EmulatorOptions,
  type RecordedRequest,
  say,
  type VirtualClock,
} from "../../packages/testing/src/index.ts";
import { model, type Stage, stage } from "./gateway-stage.ts";

export const minute = 60_000;
const stepMs = 30_000;

export type Ttl = "5m" | "1h";

/** Long enough that its prefix is cached. */
export const longSystem = "You are careful. ".repeat(3_000);

/** What a client marks; without a lifetime it marks nothing. */
export function textOf(text: string, ttl: Ttl | null): Anthropic.TextBlockParam {
  return { type: "text", text, ...(ttl && { cache_control: { type: "ephemeral", ttl } }) };
}

/** An agent as others write them, which marks its system prompt and its newest message. */
export interface Client {
  /** Says something, and hears the answer; the conversation goes on with it. */
  ask(words: string, more?: Partial<Anthropic.MessageCreateParamsNonStreaming>): Promise<void>;
  readonly messages: Anthropic.MessageParam[];
}

export function createClient(anthropic: Anthropic, ttl: Ttl | null = "5m", isStream = false): Client {
  const messages: Anthropic.MessageParam[] = [];
  return {
    messages,
    async ask(words, more = {}) {
      const newest: Anthropic.MessageParam = { role: "user", content: [textOf(words, ttl)] };
      const body = {
        model,
        max_tokens: 1_000,
        system: [textOf(longSystem, ttl)],
        ...more,
        messages: [...messages, newest],
      };
      const { content } = isStream
        ? await anthropic.messages.stream(body).finalMessage()
        : await anthropic.messages.create(body);
      messages.push({ role: "user", content: words }, { role: "assistant", content });
    },
  };
}

export interface WarmStage extends Stage {
  readonly clock: VirtualClock;
  /** Lets time pass, and waits for every read that it brings. */
  pass(ms: number): Promise<void>;
  /** The reads that the provider has had. */
  reads(): readonly RecordedRequest[];
  of<Type extends GatewayEvent["type"]>(
    type: Type,
  ): readonly Extract<GatewayEvent, { readonly type: Type }>[];
}

/** A gateway with keep-warm on, in front of an emulator whose cache lives by the same clock. */
export async function warmStage(
  options: GatewayOptions = {},
  emulated: EmulatorOptions = {},
): Promise<WarmStage> {
  const clock = createVirtualClock();
  const settings = { keepWarm: { enabled: true } };
  const one = await stage(
    { script: ({ number }) => say(`Answer ${number} and more of it.`), clock, ...emulated },
    { clock, settings, ...options },
  );
  return {
    ...one,
    clock,
    pass: (ms) => passIn({ clock, gateway: one.gateway }, ms),
    reads: () => one.emulator.requests.where((request) => request.endpoint === "messages" && isRead(request)),
    of: (type) => one.events.filter((event): event is never => event.type === type),
  };
}

/** Nothing else here asks for an answer of one token. */
export const isRead = ({ body }: RecordedRequest) => body?.max_tokens === 1;

export async function passIn(
  { clock, gateway }: { readonly clock: VirtualClock; readonly gateway: Pick<Stage["gateway"], "idle"> },
  ms: number,
): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await clock.advance(Math.min(stepMs, left));
    await gateway.idle();
  }
  await clock.advance(0);
}

/** A conversation that its client has gone on with, and that nobody asks now. */
export async function pausedClient(one: Stage, ttl: Ttl | null = "5m", isStream = false): Promise<Client> {
  const client = createClient(one.anthropic, ttl, isStream);
  await client.ask("Hello.");
  await one.gateway.idle();
  await client.ask("Go on.");
  await one.gateway.idle();
  return client;
}

export const withKeepWarm = (keepWarm: Settings["keepWarm"]): GatewayOptions => ({
  settings: { keepWarm: { enabled: true, ...keepWarm } },
});

export const spentIn = (one: WarmStage): number =>
  one.of("keep-warm").reduce((sum, { dollars }) => sum + dollars, 0);

export const reasonsIn = (one: WarmStage): readonly string[] =>
  one.of("warming-end").map(({ reason }) => reason);
