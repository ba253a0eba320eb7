import { describe, expect, it } from "vitest";
import {
  addRound,
  answered,
  createTestLog,
  said,
  type TestLog,
} from "../../../test/layers/compaction-support.ts";
import { decideSnip } from "./decide-snip.ts";
import { createMeasure } from "./measure.ts";

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
