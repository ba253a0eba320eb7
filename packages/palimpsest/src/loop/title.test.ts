import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTitle } from "./begin-run.ts";

describe("toTitle", () => {
  it.each([
    ["Fix the bug", "Fix the bug"],
    ["  Fix\n\tthe   bug \n", "Fix the bug"],
    [
      "Please look at all the files in this folder and tell me what they are for",
      "Please look at all the files in this folder and tell me…",
    ],
    ["x".repeat(80), `${"x".repeat(59)}…`],
  ])("of %j is %j", (prompt, title) => {
    expect(toTitle(prompt)).toBe(title);
  });

  it("is one well-formed line of at most 60 characters, whatever was asked", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (prompt) => {
        const title = toTitle(prompt);
        expect(title.length).toBeLessThanOrEqual(60);
        expect(title).not.toMatch(/[\n\r\t]/);
        if (prompt.isWellFormed()) expect(title.isWellFormed()).toBe(true);
      }),
    );
  });
});
