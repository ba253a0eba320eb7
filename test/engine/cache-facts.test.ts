import { describe, expect, it } from "vitest";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type { CacheFacts, Layer, Session, Usage } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock, type VirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { assistant, user } from "../support/session-messages.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const minute = 60_000;
const hour = 60 * minute;
const read = (cacheRead: number, cacheCreation = 0, more: Partial<Usage> = {}): Usage => ({
  input: 10,
  output: 10,
  cacheRead,
  cacheCreation,
  ...more,
});

interface Opened {
  readonly session: Session;
  readonly clock: VirtualClock;
  /** What layers know of the cache. */
  cache(): CacheFacts | undefined;
  /** Prepares a request and adds a response to it. */
  ask(
    usage?: Usage,
    more?: { readonly at?: number; readonly model?: string; readonly id?: string },
  ): Promise<void>;
  resume(options?: SessionOptions): Promise<Opened>;
}

async function open(
  options: SessionOptions = {},
  clock = createVirtualClock(),
  store = createVirtualStore({ clock }),
): Promise<Opened> {
  let cache: CacheFacts | undefined;
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide(_view, _moment, facts) {
      cache = facts.cache;
      return { verdict: "skip", reason: "it only looks" };
    },
    apply: async () => ({ ok: true, value: [] }),
  };
  const session = await openSession({ store, clock, id: "one", layers: [layer], ...options });
  let responses = 0;
  return {
    session,
    clock,
    cache() {
      session.plan();
      return cache;
    },
    async ask(usage = read(0, 1_000), more = {}) {
      responses += 1;
      await session.add(user("Go on."));
      await session.prepare();
      await session.add(assistant("Well.", { id: `msg_${responses}`, usage, ...more }));
    },
    async resume(more = {}) {
      await session.close();
      return open({ resume: true, ...more }, clock, store);
    },
  };
}

describe("the cache of a session that asks", () => {
  it.each([
    ["claude-opus-4-5", "claude-opus-4-5-20251101"],
    ["claude-opus-4-5", "claude-haiku-4-5"],
    ["claude-opus-4-5", "/models/some.gguf"],
    ["openrouter/auto", "vendor/some-model"],
    ["my-gpt4-deployment", "gpt-4-0613"],
    ["claude-opus-4-5", ""],
  ])("%s is warm whoever answers: %s", async (asked, answered) => {
    const { ask, cache } = await open({ model: asked });
    await ask(read(0, 1_000), { model: answered });
    expect(cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 0 });
  });

  it.each([
    ["5 hours early", (nowMs: number) => nowMs - 5 * hour],
    ["5 hours late", (nowMs: number) => nowMs + 5 * hour],
    ["always the same", () => Date.UTC(2020, 0, 1)],
  ])("is judged by the session's clock where the times of responses are %s", async (_what, timeOf) => {
    const { ask, cache, clock } = await open();
    for (let request = 0; request < 3; request += 1) {
      await clock.advance(minute);
      await ask(read(1_000 * request, 1_000), { at: timeOf(clock.now()) });
      expect(cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 0 });
    }
    await clock.advance(5 * minute - 1);
    expect(cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 5 * minute - 1 });
    await clock.advance(1);
    expect(cache()).toEqual({ state: "cold", ttlMs: 5 * minute, idleMs: 5 * minute });
  });

  it("is judged by the session's clock where its log has another one", async () => {
    const clock = createVirtualClock();
    const { ask, cache } = await open(
      {},
      clock,
      createVirtualStore({ clock: createVirtualClock({ startMs: 0 }) }),
    );
    await ask();
    expect(cache()?.idleMs).toBe(0);
    await clock.advance(minute);
    expect(cache()?.idleMs).toBe(minute);
  });

  it("is judged by the session's clock for every entry of a response", async () => {
    const { session, ask, cache, clock } = await open();
    const at = clock.now() - 5 * hour;
    await ask(read(0, 1_000), { at, id: "msg" });
    await session.add(assistant("And more.", { id: "msg", usage: read(0, 1_000), at }));
    expect(cache()?.idleMs).toBe(0);
  });

  it("is judged by the times of entries that answer no request of this process", async () => {
    const { session, ask, cache, clock, resume } = await open();
    const at = clock.now() - 4 * minute;
    await session.add({ ...user("Hello."), at });
    await session.add(assistant("Hi.", { usage: read(0, 1_000), at }));
    expect(cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 4 * minute });
    await ask(read(1_000, 10), { at: clock.now() + 2 * minute });
    expect(cache()?.idleMs).toBe(0);
    await clock.advance(5 * minute);
    expect((await resume()).cache()?.idleMs).toBe(3 * minute);
  });

  it("is never that of a response which is older than what it answers, after a restart either", async () => {
    const { ask, cache, clock, resume } = await open();
    await ask(read(0, 1_000), { at: clock.now() - 5 * hour });
    expect(cache()?.idleMs).toBe(0);
    await clock.advance(minute);
    expect((await resume()).cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: minute });
  });

  it("is another one where another model is asked, and the same under another of its names", async () => {
    const { ask, resume } = await open({ model: "claude-sonnet-4-5" });
    await ask();
    const dated = await resume({ model: "claude-sonnet-4-5-20250929[1m]" });
    expect(dated.cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 0 });
    const other = await dated.resume({ model: "claude-haiku-4-5" });
    expect(other.cache()).toEqual({ state: "cold", ttlMs: 5 * minute, idleMs: 0, isOtherModel: true });
    await other.ask();
    expect(other.cache()).toEqual({ state: "warm", ttlMs: 5 * minute, idleMs: 0 });
  });
});

describe("the time to live", () => {
  it.each<[string, string, Usage | undefined, CacheFacts["ttlMs"]]>([
    ["what the markers say", "claude-opus-4-5", undefined, 5 * minute],
    ["what the markers say", "claude-opus-4-5", read(0, 0), 5 * minute],
    ["what the response says", "claude-opus-4-5", read(0, 9, { cacheCreation1h: 9 }), hour],
    ["not known where the cache works by itself", "claude-opus-4-5", read(900), undefined],
    ["not known where a model has no markers", "gpt-5.6", undefined, undefined],
    ["not known of a model that nobody knows", "my-deployment", read(0, 0), undefined],
    ["what the markers say once they were heeded", "my-deployment", read(0, 900), 5 * minute],
  ])("is %s: %s", async (_what, model, usage, ttlMs) => {
    const { ask, cache } = await open({ model });
    if (usage) await ask(usage);
    expect(cache()?.ttlMs).toBe(ttlMs);
  });

  it("that is not known is taken for an hour", async () => {
    const { ask, cache, clock } = await open({ model: "gpt-5.6" });
    await ask(read(900));
    await clock.advance(hour - 1);
    expect(cache()).toEqual({ state: "warm", idleMs: hour - 1 });
    await clock.advance(1);
    expect(cache()).toEqual({ state: "cold", idleMs: hour });
  });

  it("is an hour where the session asks for it, which makes writing dearer", async () => {
    const { ask, cache } = await open({ settings: { cacheTtl: "1h" } });
    await ask();
    expect(cache()).toEqual({ state: "warm", ttlMs: hour, idleMs: 0, isLongMarked: true });
  });

  it("is no shorter than a gap after which the prompt was still read, in a resumed session too", async () => {
    const { ask, cache, clock, resume } = await open();
    await ask(read(0, 1_000));
    await clock.advance(12 * minute);
    expect(cache()?.state).toBe("cold");
    await ask(read(1_000, 10));
    await clock.advance(12 * minute);
    expect(cache()).toEqual({ state: "warm", ttlMs: 12 * minute + 1, idleMs: 12 * minute });
    const resumed = await resume();
    expect(resumed.cache()).toEqual({ state: "warm", ttlMs: 12 * minute + 1, idleMs: 12 * minute });
    await clock.advance(1);
    expect(resumed.cache()?.state).toBe("cold");
  });
});
