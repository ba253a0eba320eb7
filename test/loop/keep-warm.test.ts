import { describe, expect, it } from "vitest";
import type { Event, Settings } from "../../packages/core/src/spec/index.ts";
import { createVirtualClock, otherwise, say } from "../../packages/testing/src/index.ts";
import { createHastyClock, endOf, entriesOf } from "../support/agent.ts";
import { asked, expectValid, type StageOptions, setStage } from "./stage.ts";

const minute = 60_000;
const system = "You are careful. ".repeat(3_000);

type EventOf<Type extends Event["type"]> = Extract<Event, { readonly type: Type }>;

/** A session with a person, whose waits pass in an instant unless it has another clock. */
async function stageWith(
  keepWarm: Settings["keepWarm"],
  more: StageOptions & { readonly clock?: object } = {},
) {
  const events: Event[] = [];
  let hear: (() => void) | undefined;
  const clock = more.clock ?? createHastyClock();
  const stage = await setStage({
    system,
    isInteractive: true,
    settings: { cacheTtl: "5m", ...(keepWarm && { keepWarm }), ...more.settings },
    request: { max_tokens: 1_000 },
    emulation: { clock, script: [otherwise(() => say("Hello."))] },
    onEvent(event) {
      events.push(event);
      if (event.type === "warming-end") hear?.();
    },
    ...more,
    clock,
  } as StageOptions);
  const of = <Type extends Event["type"]>(type: Type) =>
    events.filter((event): event is EventOf<Type> => event.type === type);
  return {
    ...stage,
    clock,
    of,
    /** Runs, and waits until nothing is read any more. */
    async runAndPause() {
      const ended = new Promise<void>((resolve) => {
        hear = resolve;
      });
      const end = endOf(await stage.run());
      await ended;
      return end;
    },
  };
}

const on = { enabled: true };

describe("keeping the cache warm in a chat", () => {
  it("sends the newest request again with the shortest answer, and adds nothing to the conversation", async () => {
    const stage = await stageWith({ ...on, mostReads: 3 });
    await stage.runAndPause();
    const [request, ...reads] = asked(stage).map(({ body }) => body as Record<string, unknown>);
    expect(reads).toEqual([1, 2, 3].map(() => ({ ...request, max_tokens: 1 })));
    expectValid(stage);
    const entries = await entriesOf(stage.session);
    expect(entries.filter(({ kind }) => kind === "message")).toHaveLength(2);
    const notes = entries.flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "fork" ? entry.note : [],
    );
    expect(notes.map(({ forkKind }) => forkKind)).toEqual(["keep-warm", "keep-warm", "keep-warm"]);
    expect(stage.of("keep-warm").map(({ isHit, reads: count }) => ({ isHit, count }))).toEqual(
      [1, 2, 3].map((count) => ({ isHit: true, count })),
    );
    expect(stage.of("warming-end").map(({ reason }) => reason)).toEqual(["3 reads were made in this pause"]);
  });

  it("lets the next request hit after a pause that the cache would not have outlived", async () => {
    const stage = await stageWith({ ...on, mostReads: 3 });
    await stage.runAndPause();
    await stage.runAndPause();
    expect(stage.of("request-end").map(({ cache }) => cache?.kind)).toEqual(["expected-break", "hit"]);
    const usages = asked(stage).map(({ usage }) => usage);
    expect(usages[4]?.cache_read_input_tokens).toBeGreaterThan(8_000);
  });

  it("is off by default, and where nobody thinks", async () => {
    const byDefault = await stageWith(undefined);
    await byDefault.run();
    const unattended = await stageWith(on, { isInteractive: false });
    await unattended.run();
    await Promise.all([byDefault.session.close(), unattended.session.close()]);
    expect([asked(byDefault).length, asked(unattended).length]).toEqual([1, 1]);
  });

  it("ends by itself where the expected saving does, long before a day has passed", async () => {
    const stage = await stageWith({ ...on, mostReads: 10_000, dollarsPerSession: 1_000 });
    const startMs = stage.clock.now();
    await stage.runAndPause();
    const [{ reason } = { reason: "" }] = stage.of("warming-end");
    expect(reason).toBe("the expected saving is no longer worth the read");
    expect(stage.of("keep-warm").length).toBeGreaterThan(1);
    expect(stage.clock.now() - startMs).toBeLessThan(6 * 60 * minute);
  });

  it("never outlives its budget, over pauses and over processes", async () => {
    const dollarsPerSession = 0.1;
    const stage = await stageWith({ ...on, mostReads: 50, dollarsPerSession });
    for (let turn = 0; turn < 4; turn += 1) await stage.runAndPause();
    const spent = () => stage.of("keep-warm").reduce((sum, { dollars }) => sum + dollars, 0);
    expect(spent()).toBeGreaterThan(0);
    expect(spent()).toBeLessThanOrEqual(dollarsPerSession);
    const before = spent();
    expect(stage.of("warming-end").at(-1)?.reason).toMatch("budget");
    await stage.resume();
    await stage.runAndPause();
    expect(spent()).toBe(before);
  });

  it("stops after a read that did not hit", async () => {
    const stage = await stageWith({ ...on, mostReads: 5 });
    stage.emulator.onRequest(() => stage.emulator.reset());
    await stage.runAndPause();
    expect(stage.of("keep-warm").map(({ isHit }) => isHit)).toEqual([false]);
    expect(stage.of("warming-end").map(({ reason }) => reason)).toEqual([
      "a read did not find the prompt in the cache",
    ]);
  });

  it("stops with the session, and with the next run", async () => {
    const clock = createVirtualClock();
    const stage = await stageWith(on, { clock });
    await stage.run();
    await stage.run();
    await clock.advance(4 * minute);
    expect(clock.sleeping).toBe(1);
    await stage.session.close();
    await clock.advance(60 * minute);
    expect([asked(stage).length, stage.of("keep-warm").length, clock.sleeping]).toEqual([2, 0, 0]);
  });

  it("reads nothing after the machine has slept for longer than the cache was kept", async () => {
    const clock = createVirtualClock();
    const stage = await stageWith(on, { clock });
    await stage.run();
    clock.jump(60 * minute);
    await clock.advance(5 * minute);
    expect(stage.of("warming-end").map(({ reason }) => reason)).toEqual([
      "The cache is cold already: a read would write all of it.",
    ]);
    expect(asked(stage)).toHaveLength(1);
  });

  it.each([
    [
      { intervalMinutes: 5 },
      "5m",
      "keepWarm.intervalMinutes: 5 minutes are too long: the cache is kept for 5 minutes only.",
    ],
    [
      { intervalMinutes: 30 },
      "auto",
      "keepWarm.intervalMinutes: 30 minutes are too long: the cache may be kept for 5 minutes only.",
    ],
    [
      { intervalMinutes: 60 },
      "1h",
      "keepWarm.intervalMinutes: 60 minutes are too long: the cache is kept for 60 minutes only.",
    ],
  ] as const)(
    "refuses an interval that the lifetime does not outlast: %j at %s",
    async (keepWarm, cacheTtl, message) => {
      await expect(setStage({ settings: { cacheTtl, keepWarm: { ...on, ...keepWarm } } })).rejects.toThrow(
        message,
      );
    },
  );

  it("takes an interval that is shorter", async () => {
    const stage = await stageWith({ ...on, intervalMinutes: 3, mostReads: 2 });
    const startMs = stage.clock.now();
    await stage.runAndPause();
    expect(stage.clock.now() - startMs).toBe(6 * minute);
  });
});

describe("one read by a call", () => {
  it("says whether the prompt was there, what it cost, and what all of them have cost", async () => {
    const stage = await stageWith(undefined, { isInteractive: false });
    await expect(stage.session.keepWarm()).rejects.toThrow("nothing to keep warm");
    await stage.run();
    const first = await stage.session.keepWarm();
    expect(first).toMatchObject({ isHit: true, spentDollars: first.dollars });
    const second = await stage.session.keepWarm();
    expect(second.spentDollars).toBeCloseTo(first.dollars * 2, 9);
    expect(second.usage.cacheRead).toBeGreaterThan(8_000);
    expect(second.usage.output).toBeLessThanOrEqual(1);
  });

  it("is refused where the cache is cold, the budget is used up, or another model is asked", async () => {
    const clock = createVirtualClock();
    const stage = await stageWith({ dollarsPerSession: 0 }, { clock });
    await stage.run();
    await expect(stage.session.keepWarm()).rejects.toMatchObject({ code: "over-budget" });
    await clock.advance(6 * minute);
    await expect(stage.session.keepWarm()).rejects.toThrow("cold already");
    expect(asked(stage)).toHaveLength(1);
  });

  it("keeps a thinking budget, since another one would be another prefix, and is priced with it", async () => {
    const thinking = { type: "enabled", budget_tokens: 1_024 };
    const stage = await stageWith({ ...on, mostReads: 3 }, { request: { max_tokens: 4_000, thinking } });
    await stage.runAndPause();
    expect(stage.of("keep-warm")).toEqual([]);
    await stage.session.keepWarm();
    expect(asked(stage).at(-1)?.body).toMatchObject({ thinking, max_tokens: 1_025 });
  });

  it("is refused to a session that asks nobody", async () => {
    const { openSession } = await import("../../packages/core/src/session/open-session.ts");
    const { createVirtualStore } = await import("../support/virtual-store.ts");
    const session = await openSession({ store: createVirtualStore(), id: "one" });
    await expect(session.keepWarm()).rejects.toMatchObject({ code: "no-model" });
    await session.close();
  });
});
