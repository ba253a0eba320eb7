import { describe, expect, it } from "vitest";
import { createFoldingLayer } from "../../packages/core/src/layers/4-compaction/folding/index.ts";
import type { Event, Layer, View } from "../../packages/core/src/spec/index.ts";
import { say } from "../../packages/testing/src/index.ts";
import { compaction, watching } from "../support/acting-layer.ts";
import { entriesOf, modelAt, openAgent } from "../support/agent.ts";
import { emulate } from "../support/emulator.ts";
import { readJsonFixture } from "./read-fixture.ts";

/** Compacts an agent's fork before its first request. */
const compactingForks: Layer = {
  id: "compacting-forks",
  moments: ["before-request"],
  decide: (view, _, { source }) =>
    source !== "agent" || view.boundarySeq !== undefined
      ? { verdict: "skip", reason: "done, or no agent" }
      : { verdict: "act", command: view, run: "inline", reason: "a fork", frees: 0, basis: view.head },
  apply: async (view) => ({
    ok: true,
    value: [{ kind: "decision", decision: compaction(view as View) }],
  }),
};

async function workedParent(others: readonly Layer[]) {
  const views = new Map<string, View>();
  const events: Event[] = [];
  const { emulator } = await emulate({
    script: (request) =>
      JSON.stringify(request.whole).includes("The summaries will stand")
        ? say('<fold n="1">One.</fold><fold n="2">Two.</fold><fold n="3">Three.</fold>')
        : say("Understood."),
  });
  const session = await openAgent({
    model: modelAt(emulator),
    settings: { foldingEnabled: true, autoCompactWindow: 100_000 },
    layers: [
      createFoldingLayer(),
      ...others,
      watching(["idle", "before-request"], (view, _, { source }) =>
        views.set(source, { ...view, items: [...view.items] }),
      ),
    ],
    onEvent: (event) => events.push(event),
  });
  await session.add({ role: "user", content: "Read everything." });
  for (let at = 1; at <= 13; at += 1) {
    await session.add({
      role: "assistant",
      content: [{ type: "tool_use", id: `toolu_${at}`, name: "Read", input: { file_path: `/src/${at}.ts` } }],
      usage: { input: 5_000 * at, output: 0, cacheRead: 0, cacheCreation: 0 },
      stopReason: "tool_use",
    });
    const content = `Line ${at} of it, which is read once. `.repeat(480);
    await session.add({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `toolu_${at}`, content }],
    });
  }
  const ended = () => events.filter(({ type }) => type === "task-end").length;
  const begun = () => events.filter(({ type }) => type === "task-start").length;
  while (ended() < begun()) await new Promise((resolve) => setImmediate(resolve));
  const view = async () => {
    await session.idle();
    return views.get("main") as View;
  };
  return { session, views, events, view };
}

describe("museum", () => {
  it("41: a fork's compaction does not wipe the parent's folds", async () => {
    const { session, views, view } = await workedParent([compactingForks]);
    const before = await view();
    expect(before.folds?.length).toBeGreaterThan(0);
    const bytes = JSON.stringify((await session.prepare()).request.messages);
    await session.fork("Look around.", { kind: "agent", turns: 1 });
    expect(views.get("agent")).toMatchObject({ boundarySeq: expect.any(Number) });
    expect(views.get("agent")).not.toHaveProperty("folds");
    const after = await view();
    expect(after.folds).toEqual(before.folds);
    expect(after.items).toEqual(before.items);
    expect(JSON.stringify((await session.prepare()).request.messages)).toBe(bytes);
    expect((await entriesOf(session)).filter(({ kind }) => kind === "decision")).toEqual([]);
  });

  it("41: a fork that folds its own conversation folds nothing of the parent's", async () => {
    const { session, views, view, events } = await workedParent([]);
    const before = await view();
    const { words, times } = readJsonFixture<{ words: string; times: number }>("41-directive.json");
    await session.fork(`Look at this. ${words.repeat(times)}`, {
      kind: "agent",
      turns: 1,
    });
    const commits = events
      .filter(({ type }) => type === "fold-commit")
      .map((event) => event.session.split("/").length);
    expect(commits).toEqual([2]);
    expect(views.get("agent")?.items.length).toBeLessThan(before.items.length);
    const after = await view();
    expect(after.folds).toEqual(before.folds);
    expect(after.items).toEqual(before.items);
    expect((await entriesOf(session)).filter(({ kind }) => kind === "decision")).toEqual([]);
  });
});
