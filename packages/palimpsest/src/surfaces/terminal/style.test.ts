import { describe, expect, it } from "vitest";
import { isColourWanted } from "./style.ts";

describe("isColourWanted", () => {
  it("needs a terminal or FORCE_COLOR, and never overrides NO_COLOR", () => {
    expect(isColourWanted(true, {})).toBe(true);
    expect(isColourWanted(false, {})).toBe(false);
    expect(isColourWanted(true, { NO_COLOR: "1" })).toBe(false);
    expect(isColourWanted(true, { NO_COLOR: "" })).toBe(true);
    expect(isColourWanted(false, { FORCE_COLOR: "1" })).toBe(true);
    expect(isColourWanted(false, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(isColourWanted(true, { FORCE_COLOR: "0" })).toBe(false);
    expect(isColourWanted(true, { TERM: "dumb" })).toBe(false);
  });
});
