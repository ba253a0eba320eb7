import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { growingState, layerEvent, scene, stageOf } from "../../../../../../../test/support/demo-session.ts";
import { createStyle } from "../../../terminal/style.ts";
import { momentAt } from "../state/demo-state.ts";
import { frameLines } from "./frame-lines.ts";

const plain = createStyle(false);
const scenes = Array.from({ length: 40 }, (_, index) =>
  scene(index % 5 === 0 ? `Prompt ${index}: ${"please ".repeat(40)}` : undefined, {
    idleMs: index === 30 ? 1_140_000 : 0,
  }),
);
const notes = { layer: "session-notes", did: "", frees: 0, why: "5 calls since the last update" };
const written = [3, 7, 33].map((request) => layerEvent(request, notes));
const state = growingState(40, [layerEvent(12), ...written, layerEvent(33)]);
const stage = stageOf(scenes);
const frame = (passed: number, columns: number, rows: number) =>
  frameLines(momentAt(scenes, state, passed), stage, "any key: to the end", { columns, rows }, plain);

describe("a frame of the demo", () => {
  it("shows both contexts, what they cost, the layers and their work", () => {
    expect(frame(34, 80, 24)).toEqual(
      [
        "A session",
        "request      34 of 40 · prompt 7 of 8 after 19 min, the cache cold · claude-opus-…",
        "user         Prompt 30: please please please please please please please please…",
        "agent        Read src/a.ts",
        "",
        "context      ┊ is a window of 200k                         now    so far  breaks",
        "with         ██··················┊·····················    20k     $3.40       1",
        "without      ████████████████████┊█████████████········   340k    $17.00       0",
        "saved        $13.60, 80\u00a0% · refused by the window without the engine",
        "",
        "  1 tool results     0×",
        "  2 microcompact     0×",
        "● 3 session notes    3×",
        "● 4 compaction       2×  −42k tokens",
        "",
        " #13 4 compaction     −21k to 17k: pays after 2.0 requests, and 22 are expected",
        " #34 3 session notes       5 calls since the last update",
        " #34 4 compaction     −21k to 17k: pays after 2.0 requests, and 22 are expected",
        "",
        "",
        "",
        "",
        "",
        "any key: to the end",
      ].map((line) => (line.startsWith("request") ? expect.stringContaining("after 19 min") : line)),
    );
  });

  it.each([
    [80, 24],
    [200, 50],
    [60, 16],
    [40, 8],
    [20, 3],
    [1, 1],
  ])("fits a screen of %i × %i", (columns, rows) => {
    for (const passed of [0, 1, 13, 34, 40]) {
      const lines = frame(passed, columns, rows);
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
    }
  });

  it("says in colour how full the window is", () => {
    const moment = momentAt(scenes, state, 34);
    const lines = frameLines(moment, stage, "", { columns: 80, rows: 24 }, createStyle(true));
    expect(lines.find((line) => line.startsWith("with "))).toContain("\u001b[32m██");
    expect(lines.find((line) => line.startsWith("without"))).toContain("\u001b[31m██");
  });

  it("shows what a transcript says as text", () => {
    const hostile = [
      scene("\u001b[2J\u0007 <b>\u202e", { calls: [{ tool: "\u001bc", input: { command: "\r\nrm" } }] }),
    ];
    const moment = momentAt(hostile, growingState(1, [layerEvent(0, { why: "\u001b]0;x\u0007" })]), 1);
    const lines = frameLines(
      moment,
      stageOf(hostile, { title: "\u001b[31m" }),
      "",
      { columns: 80, rows: 24 },
      plain,
    );
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
