import { describe, expect, it } from "vitest";
import { call, createRecording, result } from "../../../../test/support/recordings.ts";
import type { Entry } from "../../../core/src/spec/index.ts";
import { normalize } from "./normalize.ts";
import { withoutDuplicates } from "./policy.ts";
import { stepsInForce } from "./recorded-session.ts";

function record() {
  const recording = createRecording();
  recording.says("Look at it.");
  recording.round(
    [
      { type: "text", text: "Reading." },
      call("t1", "Read", { file_path: "/a" }),
      call("t2", "Bash", { command: "ls" }),
    ],
    [result("t1", "text"), result("t2", "files")],
  );
  recording.sidechain("of another agent");
  recording.round([{ type: "text", text: "Done." }]);
  return recording;
}

describe("normalizing a recorded session", () => {
  it("makes one request of the lines of one response", () => {
    const { requests } = normalize(record().entries, "one");
    expect(requests.map(({ response }) => response.content.map(({ type }) => type))).toEqual([
      ["text", "tool_use", "tool_use"],
      ["text"],
    ]);
    expect(
      requests.map(({ before }) => before.map((step) => step.kind === "message" && step.content.length)),
    ).toEqual([[1], [2]]);
  });

  it("keeps the recorded time, model and usage of each", () => {
    const [first, second] = normalize(record().entries, "one").requests;
    expect(first).toMatchObject({ index: 0, segment: 0, model: "claude-opus-4-5", usage: { output: 10 } });
    expect(second?.sentMs).toBeGreaterThan(first?.response.endMs ?? 0);
    expect(second?.usage?.cacheCreation).toBeGreaterThan(first?.usage?.cacheCreation ?? 0);
  });

  it("puts results that were written between the lines of a response behind it", () => {
    const { entries } = record();
    const isResult = (entry: Entry) =>
      entry.kind === "message" && JSON.stringify(entry).includes("tool_result");
    const results = entries.filter(isResult);
    const others = entries.filter((entry) => !isResult(entry));
    const { requests } = normalize([...others.slice(0, 4), ...results, ...others.slice(4)], "one");
    expect(requests).toEqual(normalize(record().entries, "one").requests);
  });

  it("counts recorded boundaries, behind which only the summary and what follows is in force", () => {
    const recording = record();
    recording.says("This is compacted before it is sent.");
    recording.compacts("What happened so far.");
    recording.says("Go on.");
    recording.round([{ type: "text", text: "Going on." }]);
    const last = normalize(recording.entries, "one").requests.at(-1);
    expect(last?.segment).toBe(1);
    expect(last?.before.map(({ kind }) => kind)).toEqual(["message", "boundary", "message"]);
    expect(last && stepsInForce(last).map(({ kind }) => kind)).toEqual(["boundary", "message"]);
  });

  it("tells the same session in two files by its content", () => {
    const [one, twin] = [normalize(record().entries, "one"), normalize(record().entries, "two")];
    const longer = record();
    longer.round([{ type: "text", text: "More." }]);
    const other = normalize(longer.entries, "three");
    expect(withoutDuplicates([one, twin, other])).toEqual({
      sessions: [one, other],
      duplicates: [{ name: "two", sameAs: "one" }],
    });
  });
});
