import { describe, expect, it } from "vitest";
import { progressBar } from "./replay-threads.ts";

describe("progressBar", () => {
  it("fills as work is done, and never past its end", () => {
    expect(progressBar("replaying", 0, 4)).toBe(`replaying ${"░".repeat(24)} 0/4`);
    expect(progressBar("replaying", 1, 4)).toBe(`replaying ${"█".repeat(6)}${"░".repeat(18)} 1/4`);
    expect(progressBar("replaying", 9, 4)).toBe(`replaying ${"█".repeat(24)} 9/4`);
    expect(progressBar("reading", 0, 0)).toBe(`reading ${"█".repeat(24)} 0/0`);
  });
});
