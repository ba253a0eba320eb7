import { describe, expect, it } from "vitest";
import { exitCodeOf } from "./persisted-output.ts";

const long = "output\n".repeat(1_000);

describe("exitCodeOf", () => {
  it.each([
    [`Exit code 1\n${long}`, 1],
    [`Exit code: 127\nWall time: 2 seconds\nOutput:\n${long}`, 127],
    [`Command: make\nOutput: ${long}\nError: (none)\nExit Code: 2\nSignal: (none)`, 2],
    [`${long}\n\nCommand exited with code 130`, 130],
    [`${long}\n(exit status 3)`, 3],
    [`{"output":"${"x".repeat(2_000)}","metadata":{"exit_code":0,"duration_seconds":0.1}}`, 0],
    [`${long}exit_code=-1`, -1],
  ])("reads the code that an agent's shell writes", (output, code) => {
    expect(exitCodeOf(output)).toBe(code);
  });

  it.each([long, `${long}Exit code 1\n${long}`, "the exit code 1 is documented in the manual", ""])(
    "finds none where the output only speaks of one, or of none",
    (output) => {
      expect(exitCodeOf(output)).toBeUndefined();
    },
  );
});
