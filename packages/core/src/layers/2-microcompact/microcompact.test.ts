import { describe, expect, it } from "vitest";
import { addRound, beginToolSession } from "../../../../../test/support/tool-rounds.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import type { Layer, Session, View } from "../../spec/index.ts";
import { clearedText } from "../../view/clearing/clear-label.ts";
import type { ClearablePart } from "../../view/clearing/clearable-parts.ts";
import { knownFiles } from "../../view/clearing/superseded.ts";
import { estimateBlock } from "../../view/tokens/index.ts";
import { createMicrocompactLayer } from "./index.ts";
import { microcompactNumbers } from "./settings.ts";
import { clearOverThreshold } from "./strategies/threshold.ts";
import type { ClearingContext } from "./strategy.ts";

const byThreshold = { flags: { "clear-threshold": true, "clear-cold": false } };

/** A text whose result is estimated at so many tokens. */
function textOf(tokens: number, id: string): string {
  const measure = (length: number) =>
    estimateBlock({ type: "tool_result", tool_use_id: id, content: "x".repeat(length) });
  let length = tokens * 4;
  while (measure(length) > tokens) length -= 1;
  while (measure(length) < tokens) length += 1;
  return "x".repeat(length);
}

function open(options: Parameters<typeof beginToolSession>[0] = {}) {
  const model = "claude-sonnet-4-5[1m]";
  return beginToolSession({ layers: [createMicrocompactLayer()], model, ...options });
}

async function addResults(session: Session, sizes: readonly number[], tool = "Read"): Promise<void> {
  for (const [index, tokens] of sizes.entries()) {
    const id = `t${index}`;
    await addRound(session, [{ id, tool, input: { file_path: `/${id}` }, content: textOf(tokens, id) }]);
  }
}

/** The results that stand as labels in the next request. */
async function clearedIn(session: Session): Promise<readonly string[]> {
  const { request } = await session.prepare();
  return request.messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      const { tool_use_id: id, content: text } = block as { tool_use_id?: string; content?: unknown };
      return id !== undefined && typeof text === "string" && text.startsWith(clearedText) ? id : [];
    }),
  );
}

describe("clearing by the threshold", () => {
  it.each([
    [39_999, []],
    [40_000, []],
    [40_001, ["t0"]],
  ])("of %d tokens of results clears %j", async (all, expected) => {
    const { session } = await open({ settings: byThreshold });
    await addResults(session, [25_000, 5_000, 5_000, 2_000, all - 37_000]);
    expect(await clearedIn(session)).toEqual(expected);
    await session.close();
  });

  it.each([
    [19_999, "nothing"],
    [20_000, "clear"],
  ])("that would save %d tokens does %s", (saved, expected) => {
    const part = (tokens: number) =>
      ({ part: "result", position: 0, tokens, labelTokens: 10 }) as ClearablePart;
    const parts = [part(saved + 10), part(20_000), part(20_000), part(20_000)];
    const { choice } = clearOverThreshold.choose({
      parts,
      numbers: microcompactNumbers,
      unseenFrom: parts.length,
    } as unknown as ClearingContext);
    expect(choice).toBe(expected);
  });

  it("keeps the newest three, however large they are", async () => {
    const { session } = await open({ settings: byThreshold });
    await addResults(session, [30_000, 40_000, 40_000, 40_000]);
    expect(await clearedIn(session)).toEqual(["t0"]);
    await session.close();
  });

  it("touches eight kinds of tools and no others", async () => {
    const { session } = await open({ settings: byThreshold });
    const tools = ["Agent", "TodoWrite", "MultiEdit", "NotebookEdit", "mcp__a__b", "Skill", "Recall"];
    for (const [index, tool] of tools.entries())
      await addRound(session, [{ id: `t${index}`, tool, content: textOf(20_000, "t") }]);
    expect(await clearedIn(session)).toEqual([]);
    await session.close();
  });
});

describe("clearing", () => {
  it("leaves a label with tool, argument, size and recall id, and is done once", async () => {
    const { session, events } = await open({ settings: byThreshold });
    await addResults(session, [30_000, 20_000, 20_000, 20_000]);
    const { request } = await session.prepare();
    expect(JSON.stringify(request.messages[2])).toMatch(
      /\[Old tool result content cleared\] Read \/t0 · \d+ bytes · recall t0/,
    );
    expect((await session.prepare()).report.layers).toMatchObject([{ outcome: "skip" }]);
    const [event, ...others] = events.filter(({ type }) => type === "results-clear");
    expect(event).toMatchObject({ trigger: "auto", strategy: "threshold", results: 1, inputs: 0 });
    expect(others).toEqual([]);
    expect((await session.recall("t0", { limit: 10 })).totalChars).toBeGreaterThan(100_000);
    await session.close();
  });

  it("decides the same after a restart", async () => {
    const opened = await open({ settings: byThreshold });
    await addResults(opened.session, [30_000, 20_000, 20_000, 20_000]);
    const before = await clearedIn(opened.session);
    const again = await opened.resume({ layers: [createMicrocompactLayer()], settings: byThreshold });
    expect(await clearedIn(again.session)).toEqual(before);
    expect((await again.session.prepare()).report.layers).toMatchObject([{ outcome: "skip" }]);
    await again.session.close();
  });

  it("is off where it is switched off", async () => {
    const settings = { ...byThreshold, microcompactEnabled: false };
    const { session } = await open({ settings });
    await addResults(session, [30_000, 20_000, 20_000, 20_000]);
    expect(await clearedIn(session)).toEqual([]);
    expect((await session.prepare()).report.layers).toMatchObject([{ reason: "micro-compaction is off" }]);
    await session.close();
  });

  it("by hand goes down to the count that is named", async () => {
    const { session, events } = await open();
    await addResults(session, [5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(await session.clear({ targetTokens: 16_000 })).toMatchObject([{ outcome: "act" }]);
    expect(await clearedIn(session)).toEqual(["t0", "t1"]);
    expect(events.findLast(({ type }) => type === "results-clear")).toMatchObject({ trigger: "manual" });
    await session.close();
  });

  it("by hand leaves what is not worth a label", async () => {
    const { session } = await open();
    await addResults(session, [20, 5_000, 20, 5_000, 5_000, 5_000]);
    await session.clear({ targetTokens: 0 });
    expect(await clearedIn(session)).toEqual(["t1"]);
    await session.close();
  });

  it("takes the reading of a cleared file away, unless it was read again", async () => {
    const views: View[] = [];
    const watching: Layer = {
      id: "watching",
      moments: ["before-request"],
      decide: (view) => {
        views.push(view);
        return { verdict: "skip", reason: "only watching" };
      },
      apply: async () => ({ ok: true, value: [] }),
    };
    const { session } = await open({ settings: byThreshold, layers: [createMicrocompactLayer(), watching] });
    for (const [id, path] of Object.entries({ a: "/one", b: "/two", c: "/one", d: "/three", e: "/four" }))
      await addRound(session, [
        { id, tool: "Read", input: { file_path: path }, content: textOf(20_000, id) },
      ]);
    expect(await clearedIn(session)).toEqual(["a", "b"]);
    const known = knownFiles(views.at(-1) as View);
    expect([...known.keys()].sort()).toEqual(["/four", "/one", "/three"]);
    await session.close();
  });
});

describe("clearing when the cache is cold", () => {
  async function clearedAfter(idleMs: number, options: Parameters<typeof open>[0] = {}) {
    const clock = createVirtualClock();
    const { session, events } = await open({ clock, ...options });
    await addResults(session, [900, 900, 900, 900, 900, 900, 900], "Grep");
    const usage = { input: 10, output: 10, cacheRead: 0, cacheCreation: 0 };
    await session.add({ role: "assistant", id: "last", content: "Done.", usage });
    await clock.advance(idleMs);
    await session.add({ role: "user", content: "Go on." });
    const cleared = await clearedIn(session);
    await session.close();
    return {
      cleared,
      strategies: events.flatMap((event) => (event.type === "results-clear" ? event.strategy : [])),
    };
  }

  it("keeps the newest five, from the very moment the cache is gone", async () => {
    expect(await clearedAfter(5 * 60_000 - 1)).toEqual({ cleared: [], strategies: [] });
    expect(await clearedAfter(5 * 60_000)).toEqual({ cleared: ["t0", "t1"], strategies: ["cold"] });
    expect(await clearedAfter(60 * 60_000)).toEqual({ cleared: ["t0", "t1"], strategies: ["cold"] });
  });

  it("waits for an hour where nobody knows how long the cache is kept", async () => {
    const options = { model: "my-deployment" };
    expect((await clearedAfter(60 * 60_000 - 1, options)).cleared).toEqual([]);
    expect((await clearedAfter(60 * 60_000, options)).cleared).toEqual(["t0", "t1"]);
  });

  it.each([
    ["claude-opus-4-5", 1_000],
    ["claude-opus-4-5", 7_200_000],
    ["my-deployment", 1_000],
    ["my-deployment", 7_200_000],
  ])("waits with %s for as long as it is set: %d ms", async (model, coldAfterMs) => {
    const options = { model, settings: { microcompact: { coldAfterMs } } };
    expect((await clearedAfter(coldAfterMs - 1, options)).cleared).toEqual([]);
    expect((await clearedAfter(coldAfterMs, options)).cleared).toEqual(["t0", "t1"]);
  });
});

describe("economic clearing", () => {
  it("clears what pays, in one batch, and not again for every step", async () => {
    const { session, events } = await open();
    for (let round = 0; round < 30; round += 1) {
      await addRound(session, [
        { id: `t${round}`, tool: "Grep", input: { pattern: `${round}` }, content: textOf(5_000, "t") },
      ]);
      await session.prepare();
    }
    const clears = events.filter(({ type }) => type === "results-clear");
    expect(clears.length).toBeGreaterThan(0);
    expect(clears.length).toBeLessThan(6);
    for (const event of clears)
      expect(event).toMatchObject({
        strategy: "economic",
        tokensSaved: expect.toSatisfy((n: number) => n >= 20_000),
      });
    await session.close();
  });

  it("clears before it pays where that avoids a compaction", async () => {
    const clearsWith = async (autoCompactEnabled: boolean) => {
      const { session, events } = await open({ model: "claude-opus-4-5", settings: { autoCompactEnabled } });
      await addResults(session, [50_000], "Grep");
      await session.add({ role: "user", content: textOf(120_000, "t") });
      const usage = { input: 158_000, output: 10, cacheRead: 0, cacheCreation: 0 };
      for (let turn = 0; turn < 10; turn += 1) {
        await session.add({ role: "assistant", id: `last_${turn}`, content: "Well.", usage });
        await session.add({ role: "user", content: "Go on." });
      }
      await addRound(
        session,
        ["a", "b", "c"].map((id) => ({ id, tool: "Read", content: "x" })),
      );
      await session.prepare();
      await session.close();
      return events.some(({ type }) => type === "results-clear");
    };
    expect([await clearsWith(true), await clearsWith(false)]).toEqual([true, false]);
  });

  it("never clears the newest three, what was edited since the user's last word, or the latest failure", async () => {
    const microcompact = { economicMinBatchTokens: 1_000, workingRequests: 1 };
    const { session } = await open({ settings: { microcompact } });
    await addRound(session, [
      { id: "read", tool: "Read", input: { file_path: "/edited" }, content: textOf(40_000, "read") },
    ]);
    await addRound(session, [{ id: "edit", tool: "Edit", input: { file_path: "/edited" }, content: "done" }]);
    await addRound(session, [
      { id: "bad", tool: "Bash", input: { command: "make" }, content: textOf(40_000, "bad"), isError: true },
    ]);
    await addResults(session, [40_000, 9_000, 9_000, 9_000], "Grep");
    expect(await clearedIn(session)).toEqual(["t0"]);
    await session.close();
  });

  it("leaves the new text of an edit whose input it takes away", async () => {
    const microcompact = { economicMinBatchTokens: 1_000, workingRequests: 1 };
    const { session } = await open({ settings: { microcompact } });
    const input = { file_path: "/edited", old_string: textOf(40_000, "e"), new_string: "const now = 1;" };
    await addRound(session, [{ id: "edit", tool: "Edit", input, content: "done" }]);
    await addResults(session, [10, 10, 10]);
    const { request } = await session.prepare();
    const [call] = request.messages[1]?.content ?? [];
    expect(call).toMatchObject({
      id: "edit",
      input: {
        cleared: expect.stringMatching(
          /^Edit \/edited · \d+ bytes · recall edit · new text:\nconst now = 1;$/,
        ),
      },
    });
    expect((await session.recall("edit", { limit: 10 })).totalChars).toBeGreaterThan(100_000);
    await session.close();
  });

  it("takes thinking of former turns along, and none of the one that goes on", async () => {
    const { session } = await open({ model: "claude-opus-4-5" });
    const think = (id: string) =>
      session.add({
        role: "assistant",
        id,
        content: [
          { type: "thinking", thinking: textOf(30_000, id), signature: id },
          { type: "text", text: "Well." },
        ],
      });
    await think("first");
    await session.add({ role: "user", content: "Go on." });
    const thinkingIn = async () =>
      (await session.prepare()).request.messages.flatMap(({ content }) =>
        content.flatMap((block) => ("signature" in block ? block.signature : [])),
      );
    expect(await thinkingIn()).toEqual([]);
    await think("second");
    expect(await thinkingIn()).toEqual(["second"]);
    await session.close();
  });
});
