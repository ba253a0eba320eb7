import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import type {
  Decision,
  EntryDraft,
  Event,
  Facts,
  Layer,
  MessageInput,
  Moment,
  Result,
  Session,
} from "../spec/index.ts";
import { openSession } from "./open-session.ts";

const clock = createVirtualClock();
const user = (content: MessageInput["content"]): MessageInput => ({ role: "user", content });
const assistant = (id: string, content: MessageInput["content"]): MessageInput => ({
  role: "assistant",
  id,
  content,
});
const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: id } });
const result = (id: string, content = "text") => ({ type: "tool_result", tool_use_id: id, content });
const usage = { input: 10, output: 20, cacheRead: 30, cacheCreation: 40 };

const compaction = (basis: number): EntryDraft => ({
  kind: "decision",
  id: `dec_compact_${basis}`,
  decision: {
    type: "compact",
    layer: "test",
    reason: "test",
    frees: 0,
    basis,
    trigger: "auto",
    strategy: "test",
    tokensBefore: 100,
    tokensAfter: 10,
    summary: { type: "user", content: "what happened" },
    covers: "",
    attachments: [],
    discoveredTools: [],
  } as Decision,
});

/** Acts once at each moment it is told to, with what it is told to make. */
function layerOf(
  moments: readonly Moment["kind"][],
  apply: (signal: AbortSignal, basis: number) => Promise<Result<readonly EntryDraft[]>>,
  run: "inline" | "background" = "inline",
): Layer & { readonly seen: string[]; readonly facts: Facts[] } {
  let hasActed = false;
  const seen: string[] = [];
  const facts: Facts[] = [];
  return {
    id: "test",
    moments,
    seen,
    facts,
    decide(view, moment, known) {
      seen.push(moment.kind);
      facts.push(known);
      if (hasActed || moment.kind === "after-compaction") return { verdict: "skip", reason: "done" };
      hasActed = true;
      return { verdict: "act", command: view.head, run, reason: "due", frees: 0, basis: view.head };
    },
    apply: (basis, _io, signal) => apply(signal, basis as number),
  };
}

async function open(
  layers: readonly Layer[],
  events: Event[] = [],
  store = createVirtualStore(),
  onTaskEnd: () => void = () => undefined,
) {
  const onEvent = (event: Event) => {
    events.push(event);
    if (event.type === "task-end") onTaskEnd();
  };
  return openSession({ store, clock, id: "one", system: "Be brief.", layers, onEvent });
}

const typesOf = (events: readonly Event[]) => events.map(({ type }) => type);

/** A promise, and the means to end it. */
function promised<T>() {
  let settle: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

describe("moments", () => {
  it("come in their order, from the session's start to its idle hours", async () => {
    const kinds = [
      "session-start",
      "turn-start",
      "before-request",
      "after-response",
      "tool-round",
      "turn-end",
      "idle",
    ] as const;
    const listening = layerOf(kinds, async () => ({ ok: true, value: [] }));
    const session = await open([listening]);
    await session.add(user("Hello."));
    await session.prepare();
    await session.add({ ...assistant("msg_1", [call("t1")]), usage, stopReason: "tool_use" });
    await session.add(user([result("t1")]));
    await session.prepare();
    await session.add({ ...assistant("msg_2", "Done."), usage, stopReason: "end_turn" });
    await session.idle();
    await session.close();
    expect(listening.seen).toEqual([
      "session-start",
      "turn-start",
      "before-request",
      "after-response",
      "tool-round",
      "before-request",
      "after-response",
      "turn-end",
      "idle",
    ]);
  });

  it("do not start a session that is only read", async () => {
    const store = createVirtualStore();
    await (await open([], [], store)).close();
    const listening = layerOf(["session-start"], async () => ({ ok: true, value: [] }));
    const reader = await openSession({ store, clock, id: "one", readOnly: true, layers: [listening] });
    await reader.close();
    expect(listening.seen).toEqual([]);
  });

  it.each([
    [{ stopReason: "pause_turn" }, []],
    [{ stopReason: "tool_use" }, []],
    [{ stopReason: "refusal" }, ["turn-end"]],
    [{ usage }, ["turn-end"]],
    [{}, []],
    [{ id: undefined }, ["turn-end"]],
    [{ isAborted: true, stopReason: "end_turn" }, []],
  ])("a response with %j leads to %j", async (more, expected) => {
    const listening = layerOf(["turn-end"], async () => ({ ok: true, value: [] }));
    const session = await open([listening]);
    await session.add(user("Hello."));
    await session.add({ ...assistant("msg_1", "Well."), ...more });
    await session.close();
    expect(listening.seen).toEqual(expected);
  });

  it("tell of a compaction once it is there", async () => {
    const compacting = layerOf(["before-request", "after-compaction"], async (_signal, basis) => ({
      ok: true,
      value: [compaction(basis)],
    }));
    const session = await open([compacting]);
    await session.add(user("Hello."));
    const { request } = await session.prepare();
    expect(compacting.seen).toEqual(["before-request", "after-compaction"]);
    expect(JSON.stringify(request.messages)).toContain("what happened");
    await session.close();
  });
});

describe("facts of one moment", () => {
  const skipping = (id: string, told: Facts[]): Layer => ({
    id,
    moments: ["before-request"],
    decide(_view, _moment, facts) {
      told.push(facts);
      return { verdict: "skip", reason: "nothing is due" };
    },
    apply: async () => ({ ok: true, value: [] }),
  });

  it("are put together once for all layers up to one that does something, and anew behind it", async () => {
    const told: Facts[] = [];
    const note: EntryDraft = { kind: "note", note: { topic: "title", title: "A title" } };
    const acting = layerOf(["before-request"], async () => ({ ok: true, value: [note] }));
    const session = await open([
      skipping("first", told),
      skipping("second", told),
      acting,
      skipping("third", told),
      skipping("fourth", told),
    ]);
    await session.add(user("Hello."));
    await session.prepare();
    await session.close();
    const [first, second, third, fourth] = told;
    expect([second === first, acting.facts[0] === first, third === first, fourth === third]).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(third?.settings).toBe(first?.settings);
    expect([first, third].map((facts) => facts?.compaction?.lasting)).toEqual([
      undefined,
      [{ topic: "title", title: "A title" }],
    ]);
  });

  it("cannot be changed by one layer for the next", async () => {
    const told: Facts[] = [];
    const hostile: Layer = {
      ...skipping("hostile", told),
      decide(_view, _moment, facts) {
        (facts.settings as Record<string, unknown>).microcompact = { thresholdTokens: 1 };
        return { verdict: "skip", reason: "done" };
      },
    };
    const session = await open([hostile, skipping("next", told)]);
    await session.add(user("Hello."));
    const { report } = await session.prepare();
    await session.close();
    expect(report.layers).toMatchObject([
      { layer: "hostile", reason: expect.stringContaining("it failed to decide") },
      { layer: "next", reason: "nothing is due" },
    ]);
    expect(told.map(({ settings }) => settings.microcompact)).toEqual([undefined]);
  });
});

describe("work in the background", () => {
  it("delays nothing, lands when it is done, and is not begun twice", async () => {
    const events: Event[] = [];
    const { promise, settle } = promised<Result<readonly EntryDraft[]>>();
    const layer = layerOf(["before-request", "after-compaction"], () => promise, "background");
    const ended = promised<void>();
    const session = await open([layer], events, undefined, () => ended.settle());
    await session.add(user("Hello."));
    expect((await session.prepare()).report.layers).toMatchObject([{ outcome: "started", reason: "due" }]);
    await session.add(assistant("msg_1", "Well."));
    await session.add(user("Go on."));
    expect((await session.prepare()).report.layers).toMatchObject([
      { outcome: "skip", reason: "its background work is still running" },
    ]);
    expect(session.plan().layers).toMatchObject([{ outcome: "skip" }]);
    settle({ ok: true, value: [compaction(2)] });
    await ended.promise;
    const { request } = await session.prepare();
    expect(JSON.stringify(request.messages)).toMatch(/what happened.*Well.*Go on/);
    expect(layer.seen).toEqual(["before-request", "after-compaction", "before-request"]);
    await session.close();
    expect(typesOf(events)).toEqual(expect.arrayContaining(["task-start", "decision-record", "task-end"]));
  });

  it("is dropped, with an event, when the session went back behind what it was decided on", async () => {
    const events: Event[] = [];
    const { promise, settle } = promised<Result<readonly EntryDraft[]>>();
    const layer = layerOf(["before-request"], () => promise, "background");
    const ended = promised<void>();
    const session = await open([layer], events, undefined, () => ended.settle());
    const first = await session.add(user("One."));
    await session.add(assistant("msg_1", "Well."));
    await session.add(user("Two."));
    await session.prepare();
    await session.rewind(first.id);
    settle({ ok: true, value: [compaction(4)] });
    await ended.promise;
    const { request } = await session.prepare();
    expect(JSON.stringify(request.messages)).not.toContain("what happened");
    await session.close();
    expect(events.filter(({ type }) => type === "draft-dropped")).toMatchObject([{ layer: "test" }]);
  });

  it("is stopped when the session closes, and brings nothing more", async () => {
    const events: Event[] = [];
    const layer = layerOf(
      ["before-request"],
      (signal, basis) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ ok: true, value: [compaction(basis)] }));
        }),
      "background",
    );
    const store = createVirtualStore();
    const session = await open([layer], events, store);
    await session.add(user("Hello."));
    await session.prepare();
    await session.close();
    expect(typesOf(events).slice(-3)).toEqual(["draft-dropped", "task-end", "session-close"]);
    const again = await openSession({ store, clock, id: "one", resume: true });
    expect(JSON.stringify((await again.prepare()).request.messages)).toContain("Hello.");
    await again.close();
  });

  it("can be stopped by its layer's name, brings nothing, and its layer is asked again", async () => {
    const events: Event[] = [];
    const layer = layerOf(
      ["before-request"],
      (signal, basis) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve({ ok: true, value: [compaction(basis)] }));
        }),
      "background",
    );
    const session = await open([layer], events);
    await session.add(user("Hello."));
    await session.prepare();
    expect([await session.stopTask("other"), await session.stopTask("test")]).toEqual([false, true]);
    expect(events.filter(({ type }) => type.startsWith("task-"))).toMatchObject([
      { type: "task-start", layer: "test" },
      { type: "task-end", layer: "test", outcome: "stopped" },
    ]);
    expect(await session.stopTask("test")).toBe(false);
    const { request, report } = await session.prepare();
    expect(report.layers).toMatchObject([{ outcome: "skip", reason: "done" }]);
    expect(JSON.stringify(request.messages)).not.toContain("what happened");
    await session.close();
  });

  it("that fails is reported, and the session goes on", async () => {
    const events: Event[] = [];
    const layer = layerOf(["before-request"], () => Promise.reject(new Error("it broke")), "background");
    const session = await open([layer], events);
    await session.add(user("Hello."));
    await session.prepare();
    await session.prepare();
    await session.close();
    expect(events.filter(({ type }) => type === "layer-failed")).toMatchObject([
      { layer: "test", message: "Layer test failed: it broke" },
    ]);
  });
});

describe("facts", () => {
  /** `next`: the model that the session is opened again with. */
  async function factsAfter(work: (session: Session) => Promise<void>, next?: string): Promise<Facts> {
    const layer = layerOf(["idle"], async () => ({ ok: true, value: [] }));
    const store = createVirtualStore();
    let session = await openSession({ store, clock, id: "one", layers: [layer] });
    await work(session);
    if (next !== undefined) {
      await session.close();
      session = await openSession({ store, clock, id: "one", resume: true, layers: [layer], model: next });
    }
    await session.idle();
    await session.close();
    return layer.facts.at(-1) as Facts;
  }

  it("know a session's statistics, each response counted once", async () => {
    const { statistics } = await factsAfter(async (session) => {
      await session.add(user("Hello."));
      await session.add({ ...assistant("msg_1", [call("t1")]), usage });
      await session.add({ ...assistant("msg_1", [call("t2")]), usage });
      await session.add(user([result("t1"), result("t2")]));
      await session.add({ ...assistant("msg_2", "Done."), usage, model: "some/router" });
    });
    expect(statistics).toMatchObject({
      turns: 1,
      toolResults: 2,
      responses: 2,
      compactions: 0,
      inputTokens: 20,
      cacheReadTokens: 60,
      cacheCreationTokens: 80,
      outputTokens: 40,
      respondedFor: "claude-opus-4-5",
    });
    expect(statistics.dollars).toBeCloseTo((2 * (10 * 5 + 30 * 0.5 + 40 * 6.25 + 20 * 25)) / 1e6, 10);
  });

  it.each([
    [0, "warm"],
    [299_999, "warm"],
    [300_000, "cold"],
  ] as const)("know %d ms after a response that the cache is %s", async (idleMs, state) => {
    const { cache } = await factsAfter(async (session) => {
      const at = clock.now() - idleMs;
      await session.add({ ...user("Hello."), at });
      await session.add({ ...assistant("msg_1", "Hi."), usage, at });
    });
    expect(cache).toEqual({ state, ttlMs: 300_000, idleMs });
  });

  it("know that nothing is cached before the first response, or for another model", async () => {
    expect((await factsAfter(async () => undefined)).cache).toEqual({ state: "cold", ttlMs: 300_000 });
    const work = async (session: Session) => {
      await session.add(user("Hello."));
      await session.add({ ...assistant("msg_1", "Hi."), usage, model: "some/router" });
    };
    expect((await factsAfter(work)).cache.state).toBe("warm");
    expect((await factsAfter(work, "claude-haiku-4-5")).cache.state).toBe("cold");
  });
});
