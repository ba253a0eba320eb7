import { describe, expect, it } from "vitest";
import { readSaidFlag } from "./read-said-flag.ts";

const said = (name: string, text: string) => {
  const read = readSaidFlag(name, text);
  return read.ok ? read.value : read.error.message;
};

describe("readSaidFlag", () => {
  it("takes the words for switches, JSON for the rest, and kill and default for all", () => {
    expect(said("fold", "on")).toEqual({ value: true, isKilled: false });
    expect(said("tool-result-limits", '{"Bash": 5}')).toEqual({ value: { Bash: 5 }, isKilled: false });
    expect(said("fold", "kill")).toEqual({ isKilled: true });
    expect(said("fold", "default")).toEqual({ isKilled: false });
  });

  it.each([
    ["foldd", "on", "there is no flag 'foldd'; did you mean fold?"],
    ["fold", "yes", "'yes' is not a value for fold; use on, off, kill or default"],
    ["compact-early", "on", 'compact-early is read as economy "thrifty" now; set that instead'],
    ["compact-early", "kill", 'compact-early has no effect: it is part of economy "thrifty" now; remove it'],
  ])("refuses that %s is %s", (name, text, message) => {
    expect(said(name, text)).toBe(message);
  });

  it("removes a flag that a mode has taken the place of", () => {
    expect(said("compact-early", "default")).toEqual({ isKilled: false });
  });
});
