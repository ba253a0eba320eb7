import { describe, expect, it } from "vitest";
import type { SwitchName } from "../../spec/index.ts";
import { readSwitches } from "../../view/switches.ts";
import { checkFlag, flagNames, flagTable } from "./flag-table.ts";

describe("flagTable", () => {
  it("has the flags of the specification", () => {
    expect(flagNames).toEqual([
      "tool-result-limits",
      "clear",
      "clear-cold",
      "clear-server",
      "clear-cache-edits",
      "clear-threshold",
      "session-notes",
      "notes-compaction",
      "compact",
      "compact-prefix",
      "compact-ahead",
      "reactive-only",
      "snip",
      "fold",
      "memory-extraction",
      "memory-recall",
      "dream",
      "prefix-guard",
      "agent-summaries",
    ]);
  });

  it.each(flagNames)("describes %s in one line and has a default that it takes", (name) => {
    const { description, default: usual } = flagTable[name];
    expect(description).toMatch(/^[A-Z][^\n]{10,110}\.$/);
    expect(checkFlag(name, usual)).toEqual({ answer: "given", value: usual });
  });

  it("has the defaults of the switches that listen to it", () => {
    const listeners = { compact: "compact", clear: "microcompact", fold: "folding" } as const;
    const more = { "session-notes": "sessionNotes", "notes-compaction": "notesCompaction" } as const;
    for (const [flag, name] of Object.entries({ ...listeners, ...more })) {
      expect(flagTable[flag as keyof typeof listeners].default).toBe(readSwitches()[name as SwitchName]);
    }
  });
});

describe("checkFlag", () => {
  it.each([
    ["clear", "yes", 'expected true or false, got "yes"'],
    ["clear", null, "expected true or false, got null"],
    ["tool-result-limits", { Bash: 0 }, "Bash: expected a whole number ≥ 1, got 0"],
    ["tool-result-limits", [], "expected an object, got []"],
  ] as const)("refuses that %s is %j", (name, value, reason) => {
    expect(checkFlag(name, value)).toEqual({ answer: "failed", reason });
  });
});
