import { describe, expect, it } from "vitest";
import { call, createRecording, fileText, result } from "../../../../../test/support/recordings.ts";
import type { Entry } from "../../../../core/src/spec/index.ts";
import { normalize } from "../normalize.ts";
import { calibrateSession } from "./calibrate-session.ts";

/**
 * Twelve reads, a compaction, twelve reads; `hidden`: tokens behind the boundary that the file does not hold; `former`:
 * such tokens before it.
 */
function record(hidden: number, noise = 0, former = 0) {
  const recording = createRecording();
  recording.says("Read.");
  const read = (from: number) => {
    for (let at = from; at < from + 12; at += 1)
      recording.round(
        [call(`t${at}`, "Read", { file_path: `/src/${at}.ts` })],
        [result(`t${at}`, fileText(`part${at}`, 60))],
      );
  };
  read(0);
  recording.compacts("Twelve files were read.");
  const boundary = recording.entries.length;
  recording.says("Go on.");
  read(12);
  const entries = recording.entries.map((entry, at): Entry => {
    if (entry.kind !== "message" || !entry.message.usage) return entry;
    const { usage } = entry.message;
    const more = (at > boundary ? hidden : former) + (at % 4 < 2 ? noise : 0);
    const changed = { ...usage, cacheCreation: usage.cacheCreation + more };
    return { ...entry, message: { ...entry.message, usage: changed } };
  });
  return calibrateSession(normalize(entries, "one"));
}

describe("the calibration gate", () => {
  it("passes a session that two numbers fit, with the same two for all of it", () => {
    const { passes, error, segments } = record(0);
    expect(passes).toBe("session");
    expect(error).toBeLessThan(0.001);
    expect(segments.map(({ fit }) => fit)).toEqual([segments[0]?.fit, segments[0]?.fit]);
  });

  it("fits parts by themselves where something stands behind a boundary that is not in the file", () => {
    const { passes, reason, segments } = record(12_000);
    expect(passes).toBe("parts");
    expect(reason).toMatch(/sizes are off by \d/);
    expect(segments.map(({ fit }) => Math.round(fit.overhead / 1000))).toEqual([40, 52]);
  });

  it("knows what a file that begins in the middle of a conversation has behind its first boundary", () => {
    const { passes, error, reason, segments } = record(0, 0, 60_000);
    expect(passes).toBe("session");
    expect(error).toBeLessThan(0.01);
    expect(reason).toBe("about 100k tokens of its prompts are not in the file");
    expect(segments.map(({ fit, excluded }) => [Math.round(fit.overhead / 1000), excluded])).toEqual([
      [100, reason],
      [40, undefined],
    ]);
  });

  it("leaves out a session whose sizes nothing explains, and says why", () => {
    const { passes, reason } = record(0, 30_000);
    expect(passes).toBe("none");
    expect(reason).toMatch(/sizes are off by|not in the file|requests to compare/);
  });
});
