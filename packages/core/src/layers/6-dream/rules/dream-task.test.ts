import { describe, expect, it } from "vitest";
import { type DreamEvent, keptTurns, nextDreamTask, startDreamTask, toDreamEvent } from "./dream-task.ts";

const turn = (text: string, calls = {}): DreamEvent => ({ kind: "turn", turn: { text, calls } });
const write = (path: string): DreamEvent => ({ kind: "write", path });
const begun = startDreamTask("dream_1", "model");
const taskOf = (...happenings: readonly DreamEvent[]) => happenings.reduce(nextDreamTask, begun);

describe("dream task", () => {
  it("is updating from the first write on", () => {
    expect([
      begun.state,
      taskOf(turn("Looking.")).state,
      taskOf(turn("Looking."), write("a.md")).state,
    ]).toEqual(["starting", "starting", "updating"]);
  });

  it.each(["completed", "failed", "killed"] as const)("is %s from any state, and stays so", (outcome) => {
    const end: DreamEvent = { kind: "end", outcome, message: "why" };
    for (const task of [taskOf(end), taskOf(write("a.md"), end)]) {
      expect(task).toMatchObject({ state: outcome, message: "why" });
      for (const late of [turn("late"), write("b.md"), { kind: "end", outcome: "failed" } as const]) {
        expect(nextDreamTask(task, late)).toBe(task);
      }
    }
  });

  it("keeps the newest 30 turns and counts all", () => {
    const task = taskOf(...Array.from({ length: keptTurns + 5 }, (_, index) => turn(String(index))));
    expect([task.turns.length, task.turns[0]?.text, task.turnCount]).toEqual([30, "5", 35]);
  });

  it("lists each file once, sorted", () => {
    expect(taskOf(write("b.md"), write("a.md"), write("b.md")).files).toEqual(["a.md", "b.md"]);
  });

  it("tells of its beginning, its turns and writes, and its end", () => {
    const said = turn("Merging.", { Edit: 2 });
    const task = taskOf(said);
    const written = nextDreamTask(task, write("a.md"));
    const end = { kind: "end", outcome: "killed", message: "by hand" } as const;
    expect([
      toDreamEvent(begun),
      toDreamEvent(task, said),
      toDreamEvent(written, write("a.md")),
      toDreamEvent(nextDreamTask(written, end), end),
    ]).toEqual([
      { type: "dream-start", dream: "dream_1", by: "model" },
      {
        type: "dream-update",
        dream: "dream_1",
        state: "starting",
        turns: 1,
        files: [],
        text: "Merging.",
        calls: { Edit: 2 },
      },
      { type: "dream-update", dream: "dream_1", state: "updating", turns: 1, files: ["a.md"] },
      {
        type: "dream-end",
        dream: "dream_1",
        by: "model",
        outcome: "killed",
        turns: 1,
        files: ["a.md"],
        message: "by hand",
      },
    ]);
  });
});
