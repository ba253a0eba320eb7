import { describe, expect, it } from "vitest";
import { mentionsId, mentionsPath } from "./missing-from-summary.ts";

describe("mentionsPath", () => {
  it.each([
    ["see /a/b.ts.", true],
    ["`/a/b.ts`:12", true],
    ["/a/b.tsx, then /a/b.ts", true],
    ["/a/b.tsx", false],
    ["/a/b.ts.bak", false],
    ["/x/a/b.ts", false],
    ["/a/b.ts/c", false],
    ["", false],
  ])("in “%s”: %s", (text, expected) => {
    expect(mentionsPath(text, "/a/b.ts")).toBe(expected);
  });
});

describe("mentionsId", () => {
  it("takes no longer id for a shorter one", () => {
    expect(mentionsId("recall e12]", "e1")).toBe(false);
    expect(mentionsId("recall e12, recall e1]", "e1")).toBe(true);
  });
});
