import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../packages/core/src/spec/index.ts";
import { project } from "../../packages/core/src/view/projection/project.ts";
import { amount } from "../support/amount.ts";
import { checkUndoAll, type UndoneHistory, undoStep } from "../support/check-undo-all.ts";
import { createHistory, operation } from "../support/histories.ts";

describe("undoing everything, newest first", () => {
  it("restores the original request in any history, and no undo succeeds without a change", async () => {
    const steps = fc.array(undoStep, { minLength: 1, maxLength: 14, size: "max" });
    const histories: UndoneHistory[] = [];
    const property = fc.asyncProperty(steps, async (all) => {
      histories.push(await checkUndoAll(all));
    });
    await fc.assert(property, { numRuns: amount({ quick: 150, slow: 500 }) });
    const sum = (of: (one: UndoneHistory) => number) => histories.reduce((all, one) => all + of(one), 0);
    expect(sum(({ decisions }) => decisions)).toBeGreaterThan(2 * histories.length);
    expect(sum(({ refusals }) => refusals)).toBeGreaterThan(histories.length / 10);
  });

  it("names what can be undone where the newest compaction, which buries an older one, is hidden itself", async () => {
    const history = await checkUndoAll([
      { step: "compact", kept: 1, anchor: "boundary" },
      { step: "round", calls: 0, text: "alpha" },
      { step: "compact", kept: 2, anchor: "boundary" },
      { step: "snip", pick: 0, length: 0 },
      { step: "undo", pick: 0, length: 0 },
    ]);
    expect(history.refusals).toBe(1);
  });

  it("names what comes first wherever a decision in force is hidden, in histories of hardly anything but undos", async () => {
    const decided = undoStep.filter(({ step }) => step !== "round" && step !== "resume");
    const undone = undoStep.filter(({ step }) => step === "undo");
    const steps = fc.array(fc.oneof(decided, undone), { minLength: 4, maxLength: 14, size: "max" });
    const round = { step: "round", calls: 1, text: "alpha" } as const;
    const property = fc.asyncProperty(steps, async (all) => {
      await checkUndoAll([round, round, round, ...all]);
    });
    await fc.assert(property, { numRuns: amount({ quick: 40, slow: 120 }) });
  });

  it("names what hides an undo of a compaction's undo: a later compaction that was brought back", async () => {
    const compact = { step: "compact", kept: 0, anchor: "boundary" } as const;
    const undo = (pick: number) => ({ step: "undo", pick, length: 0 }) as const;
    const round = { step: "round", calls: 0, text: "alpha" } as const;
    // Undone are the second compaction, the first, the undo of the second, and that of the first once that is possible.
    const history = await checkUndoAll([round, compact, round, compact, undo(1), undo(0), undo(2), undo(8)]);
    expect(history).toEqual({ decisions: 7, refusals: 1 });
  });

  it("leaves the messages alone, whatever a log says was decided", () => {
    const operations = fc.array(operation, { minLength: 1, maxLength: 60, size: "max" });
    const property = fc.property(operations, (all) => {
      const history = createHistory();
      for (const one of all) if (one.op !== "rewind") history.write(one);
      const written = [...history.entries];
      for (const entry of written.toReversed()) {
        if (entry.kind !== "decision") continue;
        const { id, seq } = entry;
        const head = { layer: "test", reason: "undone", frees: 0, basis: history.entries.length } as const;
        const decision = { ...head, type: "restore", decision: id, decisionSeq: seq } as const;
        history.append({ kind: "decision", decision });
      }
      const said = written.filter(({ kind }) => kind !== "decision");
      expect(project(history.entries).items).toEqual(project(said).items);
    });
    fc.assert(property, { numRuns: amount({ quick: 200, slow: 500 }) });
  });
});

describe("restores that no session would write", () => {
  const restore = (id: string, seq: number, decision: string, decisionSeq: number): Entry => {
    const head = { layer: "test", reason: "forged", frees: 0, basis: 1 } as const;
    const at = "2026-01-01T00:00:00.000Z";
    return {
      ...{ v: 1, seq, epoch: 1, id, at, kind: "decision" },
      decision: { ...head, type: "restore", decision, decisionSeq },
    };
  };
  const message: Entry = {
    ...{ v: 1, seq: 1, epoch: 1, id: "e1", at: "2026-01-01T00:00:00.000Z", kind: "message" },
    message: { type: "user", content: "Hello." },
  };

  it.each([
    ["of itself", [restore("r1", 2, "r1", 1)]],
    ["of each other", [restore("r1", 2, "r2", 1), restore("r2", 3, "r1", 2)]],
    [
      "in a circle of three",
      [restore("r1", 2, "r3", 1), restore("r2", 3, "r1", 2), restore("r3", 4, "r2", 3)],
    ],
  ])("%s change nothing", (_name, restores) => {
    expect(project([message, ...restores]).items.map(({ entry }) => entry)).toEqual(["e1"]);
  });

  it("of restores, two thousand deep, end with the one they began with", () => {
    const snip: Entry = {
      ...{ v: 1, seq: 2, epoch: 1, id: "r2", at: "2026-01-01T00:00:00.000Z", kind: "decision" },
      decision: {
        ...{ layer: "test", reason: "due", frees: 0, basis: 1 },
        type: "snip",
        entries: ["e1"],
        marker: "[gone]",
      },
    };
    const chain = Array.from({ length: 2_000 }, (_, at) =>
      restore(`r${at + 3}`, at + 3, `r${at + 2}`, at + 2),
    );
    expect(project([message, snip, ...chain]).items.map(({ entry }) => entry)).toEqual(["r2"]);
    expect(project([message, snip, ...chain.slice(1)]).items.map(({ entry }) => entry)).toEqual(["r2"]);
    expect(project([message, snip, ...chain.slice(0, 1)]).items.map(({ entry }) => entry)).toEqual(["e1"]);
  });
});
