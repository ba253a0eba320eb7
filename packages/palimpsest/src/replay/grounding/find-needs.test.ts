import { describe, expect, it } from "vitest";
import { call, createRecording, result } from "../../../../../test/support/recordings.ts";
import { normalize } from "../normalize.ts";
import { findNeeds, type Need } from "./find-needs.ts";

const shown = ({ atom, sources, distance }: Need) => ({
  atom: `${atom.type} ${atom.text}`,
  sources: sources.map(({ block }) => block.type),
  distance,
});

describe("finding what calls need", () => {
  it("names the earlier blocks that hold an atom, and how far away the newest is", () => {
    const recording = createRecording();
    recording.says("Find it.");
    recording.round(
      [call("t1", "Bash", { command: "ls" })],
      [result("t1", "createSession and src/engine/session.ts")],
    );
    recording.round([{ type: "text", text: "Waiting." }]);
    recording.says("Yes?");
    recording.round(
      [call("t2", "Grep", { pattern: "createSession" })],
      [result("t2", "createSession(parts)")],
    );
    recording.round(
      [call("t3", "Read", { file_path: "src/engine/session.ts" })],
      [result("t3", "createSession")],
    );
    const { byRequest } = findNeeds(normalize(recording.entries, "one"));
    expect(byRequest.map((needs) => needs.map(shown))).toEqual([
      [],
      [],
      [{ atom: "ident createSession", sources: ["tool_result"], distance: 1 }],
      [{ atom: "path src/engine/session.ts", sources: ["tool_result"], distance: 2 }],
    ]);
  });

  it("leaves out what is new, what the working folder tells and what the user said", () => {
    const recording = createRecording();
    recording.says("Look for workingSet, please.");
    const path = "/home/me/project";
    recording.round([call("t1", "Bash", { command: `ls ${path}` })], [result("t1", `${path} has files`)]);
    const command = `grep workingSet ${path}; grep madeUpName .`;
    recording.round([call("t2", "Bash", { command })], [result("t2", "workingSet")]);
    const { byRequest, leftOut } = findNeeds(normalize(recording.entries, "one"));
    expect(byRequest).toEqual([[], []]);
    expect(leftOut).toEqual({ novel: 3, fixed: 1, given: 1 });
  });

  it("looks no further back than the newest recorded boundary", () => {
    const recording = createRecording();
    recording.says("Find it.");
    recording.round([call("t1", "Bash", { command: "ls" })], [result("t1", "createSession")]);
    recording.compacts("Something was found.");
    recording.says("Which?");
    recording.round([call("t2", "Grep", { pattern: "createSession" })], [result("t2", "1")]);
    expect(findNeeds(normalize(recording.entries, "one"))).toEqual({
      byRequest: [[], []],
      leftOut: { novel: 1, fixed: 0, given: 0 },
    });
  });
});
