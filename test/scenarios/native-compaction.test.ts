import { describe, expect, it } from "vitest";
import { createCompactionLayer } from "../../packages/core/src/layers/4-compaction/index.ts";
import type { CompactDecision, Session, Tool } from "../../packages/core/src/spec/index.ts";
import { callTool, type RecordedRequest, say, think } from "../../packages/testing/src/index.ts";
import { testPorts } from "../layers/compaction-support.ts";
import { asked, expectGoesOn, expectValid, type Stage, type StageOptions, setStage } from "../loop/stage.ts";
import { endOf, entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const bound = "claude-opus-5-5";
const words = (name: string, count: number) => `${name} `.repeat(count);

const look: Tool = {
  name: "Look",
  description: "Looks at something.",
  input_schema: { type: "object", properties: { what: { type: "string" } } },
  isReadOnly: true,
  maxResultChars: Number.POSITIVE_INFINITY,
  run: async (input) => ({ content: words((input as { what: string }).what, 1_000) }),
};

function open(native: "server" | "on-demand" | "off", more: StageOptions = {}): Promise<Stage> {
  const { settings, ...rest } = more;
  return setStage({
    model: bound,
    layers: [createCompactionLayer(testPorts())],
    tools: [look],
    system: "Be brief.",
    request: { thinking: { type: "adaptive" }, max_tokens: 4_000 },
    ...rest,
    settings: { autoCompactWindow: 100_000, compaction: { native }, ...settings },
  });
}

interface WireMessage {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[];
}

const messagesIn = ({ body }: RecordedRequest) =>
  (body as { readonly messages: readonly WireMessage[] }).messages;
const typesIn = (message: WireMessage | undefined) => message?.content.map(({ type }) => type);
const betasOf = ({ headers }: RecordedRequest) => String(headers["anthropic-beta"] ?? "").split(",");
const withoutMarker = ({ cache_control: _marker, ...block }: Readonly<Record<string, unknown>>) => block;

async function boundariesOf(session: Session): Promise<readonly CompactDecision[]> {
  return (await entriesOf(session)).flatMap((entry) =>
    entry.kind === "decision" && entry.decision.type === "compact" ? entry.decision : [],
  );
}

/** Prompts of about 9,000 tokens each, until something has happened. */
async function talkUntil(stage: Stage, isDone: () => boolean | Promise<boolean>): Promise<number> {
  for (let turn = 1; turn <= 16; turn += 1) {
    const end = endOf(await stage.run(words(`prompt${turn}`, 4_000)));
    expect([end.reason, end.message]).toEqual(["done", undefined]);
    if (await isDone()) return turn;
  }
  throw new Error("it never happened");
}

const answers: NonNullable<StageOptions["script"]> = ({ ordinal, body }) =>
  (body as { readonly compaction?: unknown }).compaction
    ? say(`Summary ${ordinal}.`)
    : [think(`Thought ${ordinal}.`), say(`Answer ${ordinal}.`)];

describe("compaction by the API on the way to an answer", () => {
  const hasBlock = (stage: Stage) => () =>
    asked(stage).some(({ content }) => JSON.stringify(content ?? []).includes('"type":"compaction"'));

  it("is asked for, cuts the view at its block, keeps thinking bound, and is read from the cache", async () => {
    const stage = await open("server", { script: answers });
    await talkUntil(stage, hasBlock(stage));
    const [decision] = await boundariesOf(stage.session);
    const compacted = asked(stage).at(-1) as RecordedRequest;
    const [block] = compacted.content ?? [];
    expect(compacted.body).toMatchObject({
      context_management: {
        edits: [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 67_000 } }],
      },
    });
    expect(betasOf(compacted)).toEqual(
      expect.arrayContaining(["context-management-2025-06-27", "compact-2026-01-12"]),
    );
    expect(decision).toMatchObject({ strategy: "native", trigger: "auto", summary: { content: [block] } });
    expect(stage.session.usage().count.tokens).toBeLessThan(5_000);
    await stage.run("Go on.");
    await stage.run("And on.");
    const [next, last] = asked(stage).slice(-2) as [RecordedRequest, RecordedRequest];
    expect(messagesIn(next).map(typesIn)).toEqual([["compaction", "thinking", "text"], ["text"]]);
    expect(withoutMarker(messagesIn(next)[0]?.content[0] ?? {})).toEqual(block);
    expect(next.body).not.toHaveProperty("thinking.block_binding");
    expect(last.usage?.cache_read_input_tokens).toBeGreaterThan(0);
    expect(messagesIn(last).length).toBe(4);
    const edits = asked(stage).map(
      ({ body }) => (body as { context_management?: unknown }).context_management,
    );
    expect(new Set(edits.map((edit) => JSON.stringify(edit))).size).toBe(1);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("is undone: everything is sent again, without the block, and counted", async () => {
    const stage = await open("server", { script: answers });
    await talkUntil(stage, hasBlock(stage));
    await stage.run("Go on.");
    const before = stage.session.usage().count.tokens;
    const undone = await stage.session.undo();
    expect(undone.tokensAfter - before).toBeGreaterThan(40_000);
    const { request } = await stage.session.prepare();
    const text = JSON.stringify(request.messages);
    expect(text).toContain("prompt1 ");
    expect(text).not.toContain('"compaction"');
    stage.emulator.setScript([say("I see it all.")]);
    expect(endOf(await stage.run("Do you see it all?"))).toMatchObject({ text: "I see it all." });
    expectValid(stage);
  });

  it("happens in the middle of a turn, and the turn goes on", async () => {
    const stage = await open("server", {
      script: ({ ordinal, body }) => {
        const isOver = JSON.stringify(body).includes('"compaction","content"');
        if (ordinal > 60 || isOver) return [think("Enough."), say("Done.")];
        return [
          think(`Step ${ordinal}.`),
          { type: "tool_use", name: "Look", input: { what: `at${ordinal}` } },
        ];
      },
    });
    expect(endOf(await stage.run("Look around."))).toMatchObject({ reason: "done", text: "Done." });
    expect(await boundariesOf(stage.session)).toMatchObject([{ strategy: "native" }]);
    const last = asked(stage).at(-1) as RecordedRequest;
    expect(messagesIn(last).map(typesIn)).toEqual([["compaction", "thinking", "tool_use"], ["tool_result"]]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("brings back the user's words behind the answer, thinking stays bound, and the session goes on", async () => {
    const order = "Always answer in German, and never touch vendor/.";
    const stage = await open("server", { script: answers, layers: [createCompactionLayer()] });
    await stage.run(order);
    await talkUntil(stage, hasBlock(stage));
    await stage.run("Go on.");
    const next = asked(stage).at(-1) as RecordedRequest;
    const [answer, said] = messagesIn(next);
    expect(typesIn(answer)).toEqual(["compaction", "thinking", "text"]);
    expect(JSON.stringify(said)).toContain(order);
    expect(JSON.stringify(said?.content.at(-1))).toContain("Go on.");
    expect(next.body).not.toHaveProperty("thinking.block_binding");
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("brings them back behind the results of an answer that calls", async () => {
    const order = "Always answer in German, and never touch vendor/.";
    let calls = 0;
    const script: StageOptions["script"] = (request, state) => {
      calls += 1;
      const isWork = calls > 1 && calls < 70;
      return isWork ? [think(`T${calls}`), callTool("Look", { what: `w${calls}` })] : answers(request, state);
    };
    const stage = await open("server", { script, layers: [createCompactionLayer()] });
    await stage.run(order);
    const end = endOf(await stage.run("Look at everything."));
    expect(end.reason).toBe("done");
    const at = asked(stage).findIndex(({ content }) =>
      JSON.stringify(content ?? []).includes('"type":"compaction"'),
    );
    const [answer, said] = messagesIn(asked(stage)[at + 1] as RecordedRequest);
    expect(typesIn(answer)).toEqual(["compaction", "thinking", "tool_use"]);
    expect(typesIn(said)?.[0]).toBe("tool_result");
    expect(JSON.stringify(said)).toContain(order);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("is not asked for where the model cannot, or compaction is off", async () => {
    const old = await open("server", { model: "claude-opus-4-5", script: answers, request: {} });
    await old.run("Hello.");
    const off = await open("server", { script: answers, settings: { autoCompactEnabled: false } });
    await off.run("Hello.");
    for (const stage of [old, off])
      expect(asked(stage).map(({ body }) => Object.keys(body ?? {}).includes("context_management"))).toEqual([
        false,
      ]);
  });

  it("stands beside clearing by the API in one request", async () => {
    const stage = await open("server", {
      script: answers,
      request: {
        context_management: { edits: [{ type: "clear_tool_uses_20250919" }] },
        betas: ["context-management-2025-06-27"],
      },
    });
    await stage.run("Hello.");
    expect(asked(stage)[0]?.body).toMatchObject({
      context_management: { edits: [{ type: "clear_tool_uses_20250919" }, { type: "compact_20260112" }] },
    });
    expectValid(stage);
  });

  it("costs what it costs: the session's dollars have it", async () => {
    const stage = await open("server", { script: answers });
    await talkUntil(stage, hasBlock(stage));
    const notes = (await entriesOf(stage.session)).flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "usage" ? entry.note : [],
    );
    expect(notes).toHaveLength(1);
    expect((notes[0]?.usage.input ?? 0) + (notes[0]?.usage.cacheRead ?? 0)).toBeGreaterThan(0);
  });
});

describe("compaction by the API on demand", () => {
  const hasBoundary = (stage: Stage) => async () => (await boundariesOf(stage.session)).length > 0;

  it("comes before a model's summary, keeps the prompt behind its block, and is read from the cache", async () => {
    const stage = await open("on-demand", { script: answers });
    const turn = await talkUntil(stage, hasBoundary(stage));
    const [demand, next] = asked(stage).slice(-2) as [RecordedRequest, RecordedRequest];
    expect(demand).toMatchObject({ stopReason: "compaction", body: { compaction: { type: "summarize" } } });
    expect(betasOf(demand)).toContain("compact-2026-09-04");
    expect(messagesIn(demand).at(-1)?.role).toBe("assistant");
    expect(demand.usage?.iterations).toMatchObject([{ type: "compaction" }]);
    const iteration = demand.usage?.iterations?.[0] as { readonly cache_read_input_tokens: number };
    expect(iteration.cache_read_input_tokens).toBeGreaterThan(30_000);
    const [block] = demand.content ?? [];
    expect(messagesIn(next).map(typesIn)).toEqual([["compaction"], ["text"]]);
    expect(withoutMarker(messagesIn(next)[0]?.content[0] ?? {})).toEqual(block);
    expect(JSON.stringify(messagesIn(next)[1])).toContain(`prompt${turn} `);
    expect(betasOf(next)).toContain("compact-2026-09-04");
    await stage.run("Go on.");
    const last = asked(stage).at(-1) as RecordedRequest;
    expect(betasOf(last)).toContain("compact-2026-09-04");
    expect(last.usage?.cache_read_input_tokens).toBeGreaterThan(5_000);
    expect(await boundariesOf(stage.session)).toMatchObject([
      { strategy: "native", trigger: "auto", summary: { type: "assistant", content: [block] } },
    ]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("keeps the thinking of a turn that goes on, in the middle of its calls", async () => {
    let calls = 0;
    const stage = await open("on-demand", {
      script: ({ ordinal, body }) => {
        const { compaction, messages } = body as { compaction?: unknown; messages: WireMessage[] };
        if (compaction) return say("They talked.");
        const isWork = JSON.stringify(messages).includes("Look around.");
        if (!isWork) return [think(`Thought ${ordinal}.`), say(`Answer ${ordinal}.`)];
        calls += 1;
        return calls > 12
          ? [think("Enough."), say("Done.")]
          : [think(`Step ${calls}.`), { type: "tool_use", name: "Look", input: { what: `at${calls}` } }];
      },
    });
    for (let turn = 1; turn <= 5; turn += 1) await stage.run(words(`prompt${turn}`, 4_000));
    expect(await boundariesOf(stage.session)).toEqual([]);
    expect(endOf(await stage.run("Look around."))).toMatchObject({ reason: "done", text: "Done." });
    expect(await boundariesOf(stage.session)).toMatchObject([{ strategy: "native" }]);
    const last = asked(stage).at(-1) as RecordedRequest;
    expect(typesIn(messagesIn(last)[0])).toEqual(["compaction"]);
    const thinking = messagesIn(last).filter(({ content }) => content[0]?.type === "thinking");
    expect(thinking).toHaveLength(12);
    expect(last.body).not.toHaveProperty("thinking.block_binding");
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("is carried by forks, which read it from the cache", async () => {
    const stage = await open("on-demand", { script: answers });
    await talkUntil(stage, hasBoundary(stage));
    await stage.run("Go on.");
    const forked = await stage.session.fork("What did they say?", { kind: "agent", turns: 1 });
    expect(forked.end.reason).toBe("done");
    const last = asked(stage).at(-1) as RecordedRequest;
    expect(typesIn(messagesIn(last)[0])).toEqual(["compaction"]);
    expect(betasOf(last)).toContain("compact-2026-09-04");
    expect(forked.cache.share).toBeGreaterThan(0.5);
    expectValid(stage);
  });

  it("is undone: everything is sent again, without the block, and the session goes on", async () => {
    const settings = { autoCompactPercent: 60 };
    const stage = await open("on-demand", { script: answers, settings });
    await talkUntil(stage, hasBoundary(stage));
    const { tokensBefore, tokensAfter } = await stage.session.undo();
    expect(tokensAfter - tokensBefore).toBeGreaterThan(40_000);
    await stage.session.close();
    const store = createVirtualStore({ disk: stage.disk });
    const model = modelAt(stage.emulator, "anthropic", bound);
    const plain = await openAgent({ store, model, resume: true, clock: stage.clock });
    const text = JSON.stringify((await plain.prepare()).request.messages);
    expect(text).toContain("prompt1 ");
    expect(text).not.toContain('"compaction"');
    await plain.close();
    await stage.resume();
    await stage.run("Go on.");
    expectValid(stage);
  });

  it("is compacted again later: one block only is ever carried", async () => {
    const stage = await open("on-demand", { script: answers });
    await talkUntil(stage, async () => (await boundariesOf(stage.session)).length === 2);
    const last = asked(stage).at(-1) as RecordedRequest;
    const blocks = messagesIn(last).flatMap(({ content }) =>
      content.filter(({ type }) => type === "compaction"),
    );
    expect(blocks).toHaveLength(1);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("leaves the work to the rungs behind it where it fails", async () => {
    const stage = await open("on-demand", {
      script: ({ ordinal, body }) =>
        (body as { readonly compaction?: unknown }).compaction
          ? []
          : JSON.stringify(body).includes("context is about to be compacted")
            ? say("<summary>1. All of it</summary>")
            : [think("Hm."), say(`Answer ${ordinal}.`)],
    });
    await talkUntil(stage, hasBoundary(stage));
    expect(await boundariesOf(stage.session)).toMatchObject([{ strategy: "prefix" }]);
    expectValid(stage);
  });

  it("is carried as words where another model goes on that cannot take the block", async () => {
    const stage = await open("on-demand", { script: answers });
    await talkUntil(stage, hasBoundary(stage));
    await stage.resume("claude-opus-4-5");
    stage.emulator.setScript([say("I go on.")]);
    expect(endOf(await stage.run("Go on."))).toMatchObject({ reason: "done", text: "I go on." });
    const last = asked(stage).at(-1) as RecordedRequest;
    expect(JSON.stringify(last.body)).not.toContain('"compaction"');
    expect(JSON.stringify(last.body)).toContain("Summary ");
    expectValid(stage);
  });

  it("is never asked for where the model cannot", async () => {
    const stage = await open("on-demand", { model: "claude-opus-4-5", script: answers, request: {} });
    await talkUntil(stage, hasBoundary(stage));
    expect(asked(stage).filter(({ body }) => Object.keys(body ?? {}).includes("compaction"))).toEqual([]);
  });
});
