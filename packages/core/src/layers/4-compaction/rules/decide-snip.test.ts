import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
  type TestLog,
} from "../../../../../../test/layers/compaction-support.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { decideSnip, planSnip } from "./decide-snip.ts";

const snip = (log: TestLog) => decideSnip(log.view(), createMeasure());

function log(...paths: readonly string[]): TestLog {
  const made = createTestLog();
  made.say(said("go"));
  for (const [index, path] of paths.entries()) addRound(made, `call_${index}`, 4_000, path);
  return made;
}

describe("decideSnip", () => {
  it("takes whole rounds that nothing later refers to, and leaves one line", () => {
    const made = log("/src/a", "/src/b", "/src/c", "/src/b", "/src/d");
    const decision = snip(made);
    expect(decision).toMatchObject({
      type: "snip",
      entries: ["e2", "e3"],
      marker: "[Removed here: 1 finished round of tool calls. Recall gives them back: e2, e3.]",
      basis: 11,
    });
    if (decision) made.add({ kind: "decision", decision });
    expect(made.view().items.map(({ entry }) => entry)).not.toContain("e2");
    expect(made.view().items).toHaveLength(14);
  });

  it("keeps the newest three rounds", () => {
    expect(snip(log("/src/a", "/src/b", "/src/c"))).toBe(null);
  });

  it("keeps what later words name, what the user said, and failures that nothing has resolved", () => {
    const named = log("/src/a", "/src/b", "/src/c", "/src/d");
    named.say(answered("As /src/a says."));
    expect(snip(named)?.entries).toEqual(["e4", "e5"]);
    const failed = createTestLog();
    failed.say(said("go"));
    failed.say(answered([{ type: "tool_use", id: "bad_call", name: "Read", input: { file_path: "/gone" } }]));
    const block = {
      type: "tool_result",
      tool_use_id: "bad_call",
      content: "e".repeat(4_000),
      is_error: true,
    };
    failed.say({ type: "user", content: [block] });
    failed.say(answered("Hm."));
    failed.say(said("go on"));
    for (const name of ["one", "two", "three"]) addRound(failed, `call_${name}`, 40);
    expect(snip(failed)).toBe(null);
  });

  it("takes nothing where the line would be longer than what it stands for", () => {
    const small = createTestLog();
    small.say(said("go"));
    for (let index = 0; index < 4; index += 1) addRound(small, `c${index}`, 1, `/f${index}`);
    expect(snip(small)).toBe(null);
  });
});

describe("decideSnip with ids", () => {
  const plan = (made: TestLog, ids: readonly string[]) => planSnip(made.view(), createMeasure(), ids);
  const five = () => log("/src/a", "/src/b", "/src/c", "/src/d", "/src/e");

  it("takes the rounds of the entries and calls that are named, and no other", () => {
    expect(plan(five(), ["call_1"])).toMatchObject({
      decision: { entries: ["e4", "e5"] },
      rounds: 1,
      refused: [],
    });
    expect(plan(five(), ["e2", "e3", "call_0"])).toMatchObject({
      decision: { entries: ["e2", "e3"] },
      rounds: 1,
    });
    expect(decideSnip(five().view(), createMeasure(), ["call_1"])?.entries).toEqual(["e4", "e5"]);
  });

  it("refuses, with the reason, what is referred to later, new, or not there", () => {
    const made = five();
    made.say(answered("As /src/a says."));
    expect(plan(made, ["call_0", "call_1", "call_4", "nothing", "e1"])).toMatchObject({
      decision: { entries: ["e4", "e5"] },
      refused: [
        { id: "call_0", reason: "a later round refers to it" },
        { id: "call_4", reason: "it is one of the newest rounds" },
        { id: "nothing", reason: "no round in the conversation has it" },
        { id: "e1", reason: "no round in the conversation has it" },
      ],
    });
  });

  it("takes a round together with the only one that refers to it", () => {
    const made = log("/src/a", "/src/a", "/src/c", "/src/d", "/src/e");
    expect(plan(made, ["call_0"]).refused).toEqual([{ id: "call_0", reason: "a later round refers to it" }]);
    expect(plan(made, ["call_0", "call_1"])).toMatchObject({ rounds: 2, refused: [] });
  });

  it("refuses what is too small for its line, words, and failures", () => {
    const small = createTestLog();
    small.say(said("go"));
    for (let index = 0; index < 4; index += 1) addRound(small, `c${index}`, 1, `/f${index}`);
    expect(plan(small, ["c0"])).toEqual({
      decision: null,
      rounds: 0,
      refused: [{ id: "c0", reason: "the line in its place would be as long" }],
    });
    const spoken = log();
    const words = spoken.say(answered("Well."));
    for (const id of ["x1", "x2", "x3"]) addRound(spoken, id, 40);
    expect(plan(spoken, [words.id]).refused).toEqual([
      { id: words.id, reason: "it is not made of tool calls and results alone" },
    ]);
    expect(plan(spoken, [])).toEqual({ decision: null, rounds: 0, refused: [] });
  });

  it("finds rounds behind what was folded", () => {
    const made = five();
    const head = { layer: "l", reason: "", frees: 0, basis: 11 };
    made.add({ kind: "decision", decision: { ...head, type: "fold", from: "e2", to: "e3", summary: "s" } });
    expect(plan(made, ["call_1", "call_0"])).toMatchObject({
      decision: { entries: ["e4", "e5"] },
      refused: [{ id: "call_0", reason: "no round in the conversation has it" }],
    });
  });
});
