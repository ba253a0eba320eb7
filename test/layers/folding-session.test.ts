import { describe, expect, it, onTestFinished } from "vitest";
import { createFoldingLayer } from "../../packages/core/src/layers/4-compaction/folding/index.ts";
import { decideSnip } from "../../packages/core/src/layers/4-compaction/rules/decide-snip.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { Event, Layer, Session, SnipDecision, View } from "../../packages/core/src/spec/index.ts";
import { createMeasure } from "../../packages/core/src/view/tokens/measure.ts";
import { createVirtualClock, createVirtualDisk } from "../../packages/testing/src/index.ts";
import { actingOnce, compaction, decidingOnce, watching } from "../support/acting-layer.ts";
import { entriesOf } from "../support/agent.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

/** Effective: 80,000. Folds are prepared from 48,000 on, committed at 72,000 down to 56,000; 76,000 blocks. */
const settings = { autoCompactWindow: 100_000, foldingEnabled: true };

interface Folding {
  readonly session: Session;
  readonly events: readonly Event[];
  /** A call that the model makes at so many tokens, and a result of about 5,000. */
  round(tokens: number): Promise<void>;
  /** The view as layers see it. */
  view(): Promise<View>;
  of<Type extends Event["type"]>(type: Type): readonly Extract<Event, { readonly type: Type }>[];
}

async function openFolding(
  options: Parameters<typeof openSession>[0] & { readonly others?: readonly Layer[] } = {},
): Promise<Folding> {
  const { others = [], ...rest } = options;
  const events: Event[] = [];
  let seen: View | undefined;
  const session = await openSession({
    store: createVirtualStore(),
    clock: createVirtualClock(),
    id: "one",
    settings,
    onEvent: (event) => events.push(event),
    layers: [createFoldingLayer(), ...others, watching(["idle"], (view) => (seen = view))],
    ...rest,
  });
  onTestFinished(() => session.close());
  let calls = (await entriesOf(session)).length;
  return {
    session,
    events,
    async round(tokens) {
      calls += 1;
      const id = `toolu_${calls}`;
      await session.add({
        role: "assistant",
        content: [
          { type: "text", text: `File ${calls} is next.` },
          { type: "tool_use", id, name: "Read", input: { file_path: `/src/part-${calls}.ts` } },
        ],
        usage: { input: tokens, output: 0, cacheRead: 0, cacheCreation: 0 },
        stopReason: "tool_use",
      });
      const text = `Line of part ${calls}, which is read once. `.repeat(480);
      await session.add({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] });
    },
    async view() {
      await session.idle();
      return seen as View;
    },
    of: (type) =>
      events.flatMap((event) =>
        event.type === type ? (event as Extract<Event, { type: typeof type }>) : [],
      ),
  };
}

/** A session of so many rounds, each 5,000 tokens more than the one before. Nothing stands before its messages. */
async function worked(rounds: number, options: Parameters<typeof openFolding>[0] = {}): Promise<Folding> {
  const folding = await openFolding(options);
  await folding.session.add({ role: "user", content: "Read everything." });
  await folding.round(8);
  for (let at = 2; at <= rounds; at += 1) await folding.round(5_000 * at);
  return folding;
}

const placesOf = ({ folds = [] }: View) => folds.map(({ from, to }) => [from, to]);
const foldedIn = ({ items }: View) =>
  items.flatMap(({ block }) => ("text" in block && String(block.text).startsWith("[Folded:") ? 1 : []));

describe("folding in a session without a model", () => {
  it("prepares in time, as notes, and changes nothing before the level", async () => {
    const { view, of, session } = await worked(12);
    expect(of("fold-prepared")).toMatchObject([{ by: "scribe", folds: 2, dollars: 0 }]);
    expect((await view()).folds).toHaveLength(2);
    await session.prepare();
    expect(of("fold-commit")).toEqual([]);
    expect(foldedIn(await view())).toEqual([]);
  });

  it("commits the oldest at the level in one batch, and counts what was freed until the next usage", async () => {
    const { session, round, view, of } = await worked(13);
    const before = (await view()).count.tokens;
    expect(before).toBeLessThan(72_000);
    await round(70_000);
    const tokensBefore = (await view()).count.tokens;
    const { report } = await session.prepare();
    const [commit] = of("fold-commit");
    expect(of("fold-commit")).toEqual([
      {
        ...commit,
        type: "fold-commit",
        trigger: "level",
        folds: 2,
        tokensBefore,
        tokensAfter: report.count.tokens,
        tokensSaved: tokensBefore - report.count.tokens,
      },
    ]);
    expect(report.count.tokens).toBeLessThan(60_000);
    expect(foldedIn(await view())).toHaveLength(2);
    expect((await view()).folds).toBe(undefined);
    await round(41_000);
    expect((await view()).count.tokens).toBeGreaterThan(41_000);
    expect((await view()).count.tokens).toBeLessThan(48_000);
  });

  it("breaks the cache once for the batch: the next request goes on where it stopped", async () => {
    const { session, round } = await worked(13);
    await session.prepare();
    await round(70_000);
    const { report } = await session.prepare();
    expect(report.sharedBlocks).toBe(1);
    await round(59_000);
    const { report: next } = await session.prepare();
    expect(next.sharedBlocks).toBe(report.blocks);
  });

  it("blocks where the window is nearly full: the scribe folds what was not prepared", async () => {
    const { session, round, view, of } = await worked(2, {
      settings: { ...settings, folding: { preparePercent: 100 } },
    });
    for (let at = 3; at <= 15; at += 1) await round(5_000 * at);
    expect(of("fold-prepared")).toEqual([]);
    const { report } = await session.prepare();
    expect(of("fold-commit")).toMatchObject([{ trigger: "blocked" }]);
    expect(report.count.tokens).toBeLessThan(56_000);
    const { items } = await view();
    expect(JSON.stringify(items[0]?.block)).toContain("Read everything.");
    expect(JSON.stringify(items.at(-1)?.block)).toContain("Line of part");
  });

  it("does not fold again what was undone", async () => {
    const { session, round, view } = await worked(13);
    await round(70_000);
    await session.prepare();
    const [fold] = (await entriesOf(session)).filter(
      (entry) => entry.kind === "decision" && entry.decision.type === "fold",
    );
    if (fold?.kind !== "decision" || fold.decision.type !== "fold") throw new Error("nothing was folded");
    const { from, to } = fold.decision;
    expect((await session.recall(from)).text).toContain("is next.");
    await session.undo(fold.id);
    expect(foldedIn(await view())).toHaveLength(1);
    expect((await view()).sparedFolds).toEqual([{ from, to }]);
    await round(71_000);
    await session.prepare();
    expect((await view()).items.some(({ entry }) => entry === from)).toBe(true);
    expect(placesOf(await view())).not.toContainEqual([from, to]);
  });

  it("keeps what is prepared when it is resumed, and drops it with a compaction, unless that is undone", async () => {
    const disk = createVirtualDisk();
    const first = await worked(12, { store: createVirtualStore({ disk }) });
    const { folds } = await first.view();
    expect(folds).toHaveLength(2);
    await first.session.close();
    const others = [decidingOnce(compaction)];
    const second = await openFolding({ store: createVirtualStore({ disk }), resume: true, others });
    expect((await second.view()).folds).toEqual(folds);
    await second.session.prepare();
    expect(await second.view()).not.toHaveProperty("folds");
    await second.session.undo();
    expect((await second.view()).folds).toEqual(folds);
    const [, , , third] = await entriesOf(second.session);
    await second.session.rewind(third?.id ?? "");
    expect(await second.view()).not.toHaveProperty("folds");
  });

  it("stays off unless it is switched on, and where compaction is off", async () => {
    for (const off of [{ foldingEnabled: false }, { compactEnabled: false }]) {
      const { session, of } = await worked(13, { settings: { ...settings, ...off } });
      await session.prepare();
      expect([...of("fold-prepared"), ...of("fold-commit")]).toEqual([]);
    }
  });
});

describe("what a snip freed", () => {
  it("is subtracted from the count until the next usage", async () => {
    const snips: SnipDecision[] = [];
    const snipping = actingOnce((view) => async (io) => {
      const decision = decideSnip(view, createMeasure(io.tokensOf));
      if (decision) snips.push(decision);
      return { ok: true, value: decision ? [{ kind: "decision", decision }] : [] };
    }) as Layer;
    const { session, round, view } = await worked(6, { others: [snipping] });
    const before = (await view()).count.tokens;
    const { report } = await session.prepare();
    expect(snips).toHaveLength(1);
    expect(snips[0]?.frees).toBeGreaterThan(10_000);
    expect(report.count.tokens).toBe(before - (snips[0]?.frees ?? 0));
    await round(20_000);
    expect((await view()).count.tokens).toBeGreaterThan(20_000);
    expect((await view()).count.tokens).toBeLessThan(28_000);
  });
});
