import { onTestFinished } from "vitest";
import type { Clock, Entry, LoopEvent, Model, Session } from "../../packages/core/src/spec/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import type { Emulator } from "../../packages/testing/src/index.ts";
import { createVirtualStore } from "./virtual-store.ts";

export type Provider = "anthropic" | "openai";

/** The model under test, over real HTTP by the provider's own SDK. */
export function modelAt(
  emulator: Emulator,
  provider: Provider = "anthropic",
  name?: string,
  clock?: Clock,
): Model {
  if (provider === "anthropic")
    return anthropic(name ?? "claude-opus-4-5", {
      baseURL: emulator.url,
      apiKey: "sk-test",
      ...(clock && { clock }),
    });
  return openai(name ?? "gpt-5.6", {
    baseURL: `${emulator.url}/v1`,
    apiKey: "sk-test",
    ...(clock && { clock }),
  });
}

/** A clock that passes waits in an instant: time is what was waited for. */
export function createHastyClock(
  startMs = Date.parse("2026-01-01T00:00:00Z"),
): Clock & { readonly waits: number[] } {
  let nowMs = startMs;
  const waits: number[] = [];
  return {
    waits,
    now: () => nowMs,
    monotonic: () => nowMs - startMs,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      waits.push(ms);
      nowMs += ms;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

type Options = NonNullable<Parameters<typeof openSession>[0]>;

/** A session on a virtual disk that can run. */
export async function openAgent(options: Options): Promise<Session> {
  const session = await openSession({ store: createVirtualStore(), layers: [], id: "one", ...options });
  onTestFinished(() => session.close());
  return session;
}

export async function collect(events: AsyncIterable<LoopEvent>): Promise<readonly LoopEvent[]> {
  const all: LoopEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export function endOf(events: readonly LoopEvent[]) {
  const last = events.at(-1);
  if (last?.type !== "run-end") throw new Error(`the last event is ${last?.type}`);
  return last;
}

export const typesOf = (events: readonly LoopEvent[]) => events.map(({ type }) => type);

export async function entriesOf(session: Session): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const entry of session.entries()) all.push(entry);
  return all;
}
