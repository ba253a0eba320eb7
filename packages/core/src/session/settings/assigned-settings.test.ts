import { describe, expect, it } from "vitest";
import { readAssignedSettings } from "./assigned-settings.ts";

const messageOf = (...given: readonly string[]) => {
  const read = readAssignedSettings(given);
  return read.ok ? read.value : read.error.message;
};

describe("readAssignedSettings", () => {
  it("takes numbers, switches, words, texts, and JSON for the rest; the last one counts", () => {
    expect(
      messageOf(
        "compaction.budgetPercent=40",
        "compaction.budgetPercent=50",
        "compaction.prompt=a=b, in one line",
        "compactEnabled=off",
        "cacheTtl=1h",
        'additionalFolders=["../lib"]',
        "flags.fold=true",
        'flags={"dream": false}',
        'durability="fsync"',
        "agents.maxDollars=5e0",
        "flags.snip=off",
      ),
    ).toEqual({
      compaction: { budgetPercent: 50, prompt: "a=b, in one line" },
      compactEnabled: false,
      cacheTtl: "1h",
      durability: "fsync",
      agents: { maxDollars: 5 },
      additionalFolders: ["../lib"],
      flags: { fold: true, dream: false, snip: false },
    });
  });

  it.each([
    ["cacheTtl=2h", '--set: cacheTtl: expected one of "auto", "5m", "1h", got "2h"; write "1h"'],
    ["compactEnabled=2", '--set: compactEnabled: expected true or false, got "2"; write true or false'],
    ["flags=yes", '--set: flags: expected an object, got "yes"; write { } with names and values in it'],
    [
      "compaction.maxFailure=2",
      "--set: compaction.maxFailure: is not a setting and has no effect; did you mean maxFailures?",
    ],
    ["hooks={bad", '--set: hooks: is not JSON: expected a name in double quotes, got "b"'],
    ["=2", "--set =2: expected NAME=VALUE"],
  ])("refuses %s", (given, message) => {
    expect(messageOf(given)).toBe(message);
  });
});
