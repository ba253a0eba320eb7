import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { CacheJudgement, Decision, Event, Layer, Session } from "../../packages/core/src/spec/index.ts";
import {
  callTool,
  createSeededRandom,
  createVirtualClock,
  createVirtualDisk,
  type Emulator,
  type SeededRandom,
  say,
} from "../../packages/testing/src/index.ts";
import { emulate, readTool } from "../support/emulator.ts";
import { ask } from "../support/talk.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const system = `You are careful. ${"Rules are rules. ".repeat(1500)}`;
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

/** Makes one decision before the next request. */
function deciding() {
  let next: ((basis: number) => Decision) | null = null;
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide: ({ head }) =>
      next
        ? { verdict: "act", command: next(head), run: "inline", reason: "due", frees: 0, basis: head }
        : { verdict: "skip", reason: "not due" },
    apply: async (decision) => {
      next = null;
      return { ok: true, value: [{ kind: "decision", decision: decision as Decision }] };
    },
  };
  return {
    layer,
    make(decision: (basis: number) => Decision) {
      next = decision;
    },
  };
}

const head = { layer: "test", reason: "the test says so", frees: 0 };
const clear =
  (toolUseId: string) =>
  (basis: number): Decision => ({
    ...head,
    type: "clear",
    basis,
    parts: [{ toolUseId, part: "result", label: "[cleared]" }],
  });
const compact = (basis: number): Decision => ({
  ...head,
  type: "compact",
  basis,
  trigger: "auto",
  strategy: "test",
  tokensBefore: 2,
  tokensAfter: 1,
  summary: { type: "user", content: "What happened so far." },
  covers: "",
  attachments: [],
  discoveredTools: [],
});

/** Names that answers come back with, none of which says anything about the cache. */
const answeredNames = ["claude-opus-4-5", "claude-haiku-4-5-20251001", "vendor/router", "", undefined];

function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  return values[random.below(values.length)] as Value;
}

interface Asked {
  readonly announced: CacheJudgement;
  readonly judged: CacheJudgement;
  readonly hitBlock: number;
  /** What was done since the request before that may cost the cache. */
  readonly causes: readonly string[];
}

/** Drives a session at random, and says of each request what the guard and the emulator said. */
async function drive(random: SeededRandom, requests: number) {
  const clock = createVirtualClock();
  let answers = 0;
  const answerModel = () => {
    answers += 1;
    return answeredNames[answers % answeredNames.length];
  };
  const { emulator, client } = await emulate({ clock, script: () => reply(random), answerModel });
  const store = createVirtualStore({ disk: createVirtualDisk(), clock });
  const { layer, make } = deciding();
  const events: Event[] = [];
  const onEvent = (event: Event) => events.push(event);
  const usual = { store, clock, id: "one", layers: [layer], onEvent };
  let session = await openSession({ ...usual, system, tools: [readTool], model: "claude-opus-4-5" });
  const results: string[] = [];
  let causes: string[] = [];

  const resume = async (more: object) => {
    await session.close();
    session = await openSession({ ...usual, resume: true, ...more });
  };
  let given = { system, tools: [readTool], model: "claude-opus-4-5" };
  const change = async (more: Partial<typeof given>) => {
    given = { ...given, ...more };
    await resume(given);
  };
  const rare: readonly (readonly [string, () => Promise<void> | void])[] = [
    ["clear", () => (results.length > 3 ? make(clear(pick(random, results))) : undefined)],
    ["compact", () => make(compact)],
    ["wait", () => void clock.jump(1)],
    ["expire", () => clock.advance(5 * 60_000)],
    ["almost", () => clock.advance(5 * 60_000 - 1)],
    ["resume", () => resume(given)],
    ["system", () => change({ system: `${system} ${random.below(1000)}` })],
    ["tools", () => change({ tools: [{ ...readTool, description: `Reads ${random.below(1000)}.` }] })],
    ["model", () => change({ model: pick(random, ["claude-opus-4-5", "claude-haiku-4-5"]) })],
    ["image", () => void session.add({ role: "user", content: [image] })],
  ];

  const asked: Asked[] = [];
  await session.add({ role: "user", content: "Begin." });
  while (asked.length < requests) {
    if (random.below(4) === 0) {
      const [name, act] = pick(random, rare);
      causes.push(name);
      await act();
    }
    const { report, response } = await ask(session, client);
    asked.push(judgementsOf(report.cache, events, emulator, causes));
    causes = [];
    await answer(session, response, random, results);
  }
  await session.close();
  expect(emulator.requests.where(({ violations }) => violations.length > 0)).toEqual([]);
  return asked;
}

function reply(random: SeededRandom) {
  if (random.below(3) === 0) return say("Well then. ".repeat(1 + random.below(50)));
  return [
    say("I look."),
    ...Array.from({ length: 1 + random.below(2) }, () => callTool("Read", { file_path: "a.ts" })),
  ];
}

async function answer(
  session: Session,
  response: Anthropic.Beta.BetaMessage,
  random: SeededRandom,
  results: string[],
): Promise<void> {
  const calls = response.content.flatMap((block) => (block.type === "tool_use" ? block.id : []));
  results.push(...calls);
  const content = calls.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: `${id} `.repeat(10 + random.below(400)),
  }));
  if (content.length === 0) await session.add({ role: "user", content: "Go on." });
  else await session.add({ role: "user", content });
}

function judgementsOf(
  announced: CacheJudgement | undefined,
  events: readonly Event[],
  emulator: Emulator,
  causes: readonly string[],
): Asked {
  const end = events.findLast(({ type }) => type === "request-end");
  const judged = end?.type === "request-end" ? end.cache : undefined;
  const hitBlock = emulator.requests.last?.hitBlock;
  if (!announced || !judged || hitBlock === undefined) throw new Error("a request was not watched");
  return { announced, judged, hitBlock, causes };
}

/** What each cause is called when it costs the cache. */
const reasons: Readonly<Record<string, string>> = {
  clear: "messages_changed",
  compact: "messages_changed",
  image: "messages_changed",
  expire: "ttl_expired",
  system: "system_changed",
  tools: "tools_changed",
  model: "model_changed",
};

describe("the prefix guard, through the official SDK at the emulator", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "knows what is cached at each request, and why not more (seed %d)",
    async (seed) => {
      const [first, ...asked] = await drive(createSeededRandom(seed), 60);
      expect(first?.judged).toMatchObject({ kind: "expected-break", reason: "unavailable", firstBlock: 0 });
      const misplaced = asked.filter(
        ({ announced, judged, hitBlock }) =>
          announced.firstBlock !== hitBlock + 1 || judged.firstBlock !== hitBlock + 1,
      );
      expect(misplaced).toEqual([]);
      const breaks = asked.filter(({ judged }) => judged.kind !== "hit");
      const mislabelled = breaks.filter(
        ({ announced, judged, causes }) =>
          judged.kind !== "expected-break" ||
          announced.reason !== judged.reason ||
          !causes.some((cause) => reasons[cause] === judged.reason),
      );
      expect(mislabelled).toEqual([]);
      expect(breaks.length).toBeGreaterThan(5);
      expect(breaks.filter(({ judged }) => judged.dollars > 0).length).toBeGreaterThan(3);
    },
  );

  it("flags a break that nothing explains, and tells what it cost", async () => {
    const { emulator, client } = await emulate({ script: () => say("Well.") });
    const events: Event[] = [];
    const session = await openSession({
      store: createVirtualStore(),
      clock: createVirtualClock(),
      id: "one",
      system,
      onEvent: (event) => events.push(event),
    });
    await session.add({ role: "user", content: "Begin." });
    await ask(session, client);
    await session.add({ role: "user", content: "Go on." });
    emulator.reset();
    await ask(session, client);
    await session.close();
    expect(events.filter(({ type }) => type === "cache-break")).toMatchObject([
      { reason: "unavailable", expected: true },
      {
        reason: "unavailable",
        expected: false,
        firstBlock: 0,
        dollars: expect.closeTo(0.07, 1),
        why: "Nothing is read from the cache: the provider no longer had the cached prompt.",
      },
    ]);
  });
});
