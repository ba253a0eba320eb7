import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession, type SessionOptions } from "../../packages/core/src/session/open-session.ts";
import type {
  CacheJudgement,
  CompactDecision,
  DecisionEntry,
  Event,
  Layer,
  RequestPatch,
  Session,
} from "../../packages/core/src/spec/index.ts";
import {
  callTool,
  createSeededRandom,
  createVirtualClock,
  createVirtualDisk,
  type SeededRandom,
  say,
  think,
} from "../../packages/testing/src/index.ts";
import { compaction } from "../support/acting-layer.ts";
import { spread } from "../support/amount.ts";
import { emulate, readTool } from "../support/emulator.ts";
import { ask } from "../support/talk.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const system = `You are careful. ${"Rules are rules. ".repeat(1500)}`;
const tools = ["Read", "Bash", "Agent"].map((name) => ({
  ...readTool,
  name,
  maxResultChars: Number.POSITIVE_INFINITY,
}));
const able = { capabilities: { "*": { cacheEdits: true } } };

async function begin(random: SeededRandom, options: SessionOptions = {}) {
  const clock = createVirtualClock();
  const { emulator, client } = await emulate({
    clock,
    catalog: able,
    keepRequests: 500,
    keepBodies: 500,
    script: ({ body }) => {
      const { thinking } = body as { readonly thinking?: { readonly type?: string } };
      const thoughts = thinking && thinking.type !== "disabled" ? [think("Hm.")] : [];
      if (random.below(9) === 0) return [...thoughts, say("Well then.")];
      const calls = Array.from({ length: 1 + random.below(3) }, () =>
        callTool(random.below(9) === 0 ? "Agent" : (tools[random.below(2)]?.name ?? "Read"), {
          file_path: `${random.below(99)}.ts`,
        }),
      );
      return [...thoughts, ...calls];
    },
  });
  const events: Event[] = [];
  const usual = {
    store: createVirtualStore({ disk: createVirtualDisk(), clock }),
    clock,
    id: "one",
    onEvent: (event: Event) => events.push(event),
    ...options,
    settings: { catalog: able, cacheTtl: "5m" as const, flags: { "clear-cache-edits": true } },
  };
  let session = await openSession({ model: "claude-opus-4-6", system, tools, ...usual });
  await session.add({ role: "user", content: "Begin." });
  return {
    clock,
    emulator,
    client,
    events,
    get session() {
      return session;
    },
    async resume(more: SessionOptions = {}) {
      await session.close();
      session = await openSession({ ...usual, resume: true, ...more });
    },
  };
}

async function answer(session: Session, response: Anthropic.Beta.BetaMessage, random: SeededRandom) {
  const content = response.content.flatMap((block) =>
    block.type === "tool_use"
      ? {
          type: "tool_result",
          tool_use_id: block.id,
          content: `${block.id} `.repeat(100 + random.below(300)),
        }
      : [],
  );
  await session.add({ role: "user", content: content.length > 0 ? content : "Go on." });
}

type Begun = Awaited<ReturnType<typeof begin>>;

/** Asks once; `null`, or where the guard and the emulator disagree about the first block that was not read. */
async function askAndCompare(begun: Begun): Promise<{
  readonly response: Anthropic.Beta.BetaMessage;
  readonly wrong: unknown;
}> {
  const { report, response } = await ask(begun.session, begun.client);
  const end = begun.events.findLast(({ type }) => type === "request-end");
  const judged: CacheJudgement | undefined = end?.type === "request-end" ? end.cache : undefined;
  const first = (begun.emulator.requests.last?.hitBlock ?? -1) + 1;
  // Of what requests left there before it was opened, a session knows the newest: it may believe less, and never more.
  const announced = report.cache?.firstBlock;
  const isRight = announced !== undefined && announced <= first && judged?.firstBlock === first;
  return { response, wrong: isRight ? null : { announced: report.cache, judged, first } };
}

/** Compacts everything, now and then. */
function compacting(random: SeededRandom): Layer {
  return {
    id: "compacting",
    moments: ["before-request"],
    decide: (view) =>
      random.below(60) === 0
        ? {
            verdict: "act",
            command: compaction(view),
            run: "inline",
            reason: "due",
            frees: 0,
            basis: view.head,
          }
        : { verdict: "skip", reason: "not due" },
    apply: async (decision) => ({
      ok: true,
      value: [{ kind: "decision", decision: decision as CompactDecision }],
    }),
  };
}

/** Things that may cost the cache, or a cache edit its ground. */
type Happenings = Readonly<Record<string, (begun: Begun, random: SeededRandom) => unknown>>;

const usualEvents: Happenings = {
  expire: ({ clock }) => clock.advance(5 * 60_000),
  "expire while a request waits": async ({ session, clock }) => {
    await session.prepare();
    await clock.advance(5 * 60_000);
  },
  almost: ({ clock }) => clock.advance(5 * 60_000 - 10_001),
  image: ({ session }) => session.add({ role: "user", content: [image] }),
  resume: (begun) => begun.resume(),
  undo: async ({ session }, random) => {
    const edits: DecisionEntry[] = [];
    for await (const entry of session.entries())
      if (entry.kind === "decision" && entry.decision.type === "cache-edit") edits.push(entry);
    const edit = edits.at(-1 - random.below(2));
    if (edit) await session.undo(edit.id).catch(() => undefined);
  },
  clear: ({ session }) => session.clear({ targetTokens: 2_000 }),
  prepare: ({ session }) => session.prepare(),
};

const changesOfHead = (model: string): Happenings => ({
  system: (begun, random) => begun.resume({ system: `${system} ${random.below(99)}` }),
  model: (begun) => begun.resume({ model: "claude-opus-4-7" }),
  back: (begun) => begun.resume({ model }),
  unable: (begun) => begun.resume({ settings: { cacheTtl: "5m", flags: { "clear-cache-edits": true } } }),
});

async function happen(begun: Begun, random: SeededRandom, happenings: Happenings): Promise<string> {
  const names = Object.keys(happenings);
  const name = names[random.below(names.length)] ?? "";
  await happenings[name]?.(begun, random);
  return name;
}

const editsIn = (body: unknown) => (JSON.stringify(body).match(/"cache_edits"/g) ?? []).length;

describe("cache edits, through the official SDK at the emulator", () => {
  it("delete old results in the middle of a long session, and every prefix stays readable", async () => {
    const random = createSeededRandom(1);
    const begun = await begin(random);
    const wrong: unknown[] = [];
    for (let request = 0; request < 80; request += 1) {
      const asked = await askAndCompare(begun);
      if (asked.wrong) wrong.push({ request, ...asked.wrong });
      await answer(begun.session, asked.response, random);
      await begun.clock.advance(20_000);
    }
    expect(wrong).toEqual([]);
    const requests = [...begun.emulator.requests];
    expect(requests.filter(({ violations }) => violations.length > 0)).toEqual([]);
    const edits = requests.map(({ body }) => editsIn(body));
    expect(edits).toEqual(edits.toSorted((one, other) => one - other));
    expect(edits.at(-1)).toBeGreaterThan(3);
    expect(edits.at(-1)).toBeLessThan(12);
    for (const { usage, appliedEdits = [], body } of requests.slice(1)) {
      expect(usage?.cache_read_input_tokens).toBeGreaterThan(0.5 * (usage?.cache_creation_input_tokens ?? 0));
      expect(appliedEdits.length).toBe(editsIn(body) > 0 ? 1 : 0);
    }
    expect(begun.events.filter(({ type }) => type === "cache-break")).toHaveLength(1);
    const last = begun.emulator.requests.last;
    const deleted = (last?.appliedEdits?.[0] as { deleted_tool_uses?: number } | undefined)
      ?.deleted_tool_uses;
    expect(deleted).toBeGreaterThan(50);
    await begun.session.close();
  });

  it("count what is left: the estimate until the response, and then what was measured", async () => {
    const random = createSeededRandom(2);
    const begun = await begin(random);
    const off: number[] = [];
    for (let request = 0; request < 60; request += 1) {
      const { report, response } = await ask(begun.session, begun.client);
      const { promptTokens = 0, usage } = begun.emulator.requests.last ?? {};
      if (request > 20) off.push(Math.abs(report.count.tokens / promptTokens - 1));
      expect(begun.session.usage().count).toEqual({
        tokens: promptTokens + (usage?.output_tokens ?? 0),
        source: "usage",
      });
      await answer(begun.session, response, random);
    }
    expect(Math.max(...off)).toBeLessThan(0.25);
    await begun.session.close();
  });

  it.each(spread([1, 2, 3, 4], 2))(
    "are never refused, and never surprise the guard, whatever happens to the session (seed %d)",
    async (seed) => {
      const random = createSeededRandom(seed);
      const begun = await begin(random, { layers: [...defaultLayers(), compacting(random)] });
      const wrong: unknown[] = [];
      for (let request = 0; request < 150; request += 1) {
        const happened = random.below(6) === 0 ? await happen(begun, random, usualEvents) : "nothing";
        const asked = await askAndCompare(begun);
        if (asked.wrong) wrong.push({ request, happened, ...asked.wrong });
        await answer(begun.session, asked.response, random);
        await begun.clock.advance(10_000);
      }
      expect(wrong).toEqual([]);
      expectAccepted(begun);
      const breaks = begun.events.flatMap((event) => (event.type === "cache-break" ? event : []));
      expect(breaks.filter(({ expected }) => !expected)).toEqual([]);
      await begun.session.close();
    },
  );

  const models: readonly (readonly [string, RequestPatch, number])[] = [
    ["claude-opus-4-6", {}, 7],
    ["claude-opus-4-5", { thinking: { type: "enabled", budget_tokens: 2_000 } }, 8],
    ["claude-opus-5-5", { thinking: { type: "adaptive" } }, 9],
  ];
  it.each(spread(models, 2))(
    "are never refused where models and prompts change too, on %s with %j (seed %d)",
    async (...row) => {
      const [model, fields, seed] = row;
      const random = createSeededRandom(seed);
      const layers = [...defaultLayers(), compacting(random)];
      const begun = await begin(random, { model, request: fields, layers });
      for (let request = 0; request < 150; request += 1) {
        if (random.below(12) === 0) await happen(begun, random, { ...usualEvents, ...changesOfHead(model) });
        const { response } = await ask(begun.session, begun.client);
        await answer(begun.session, response, random);
        await begun.clock.advance(10_000);
      }
      expectAccepted(begun);
      await begun.session.close();
    },
  );
});

function expectAccepted({ emulator }: Begun): void {
  const requests = [...emulator.requests];
  expect(requests.filter(({ violations }) => violations.length > 0)).toEqual([]);
  expect(requests.filter(({ appliedEdits = [] }) => appliedEdits.length > 0).length).toBeGreaterThan(10);
}
