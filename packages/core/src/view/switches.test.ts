import { describe, expect, it } from "vitest";
import type { SwitchName } from "../spec/index.ts";
import { readSwitches, type SwitchSources } from "./switches.ts";

const names: readonly SwitchName[] = [
  "compact",
  "autoCompact",
  "microcompact",
  "sessionNotes",
  "notesCompaction",
  "folding",
];

function on(sources: SwitchSources): readonly SwitchName[] {
  const switches = readSwitches(sources);
  return names.filter((name) => switches[name]);
}

const allButFolding = ["compact", "autoCompact", "microcompact", "sessionNotes", "notesCompaction"];

describe("readSwitches", () => {
  it("has everything on but folding when nobody says anything", () => {
    expect(readSwitches()).toEqual({
      compact: true,
      autoCompact: true,
      microcompact: true,
      sessionNotes: true,
      notesCompaction: true,
      folding: false,
      sources: Object.fromEntries(names.map((name) => [name, "default"])),
      warnings: [],
    });
  });

  it("turns every kind of compaction off with DISABLE_COMPACT, and leaves micro-compaction and notes", () => {
    const environment = { DISABLE_COMPACT: "1", CLAUDE_CONTEXT_COLLAPSE: "1" };
    expect(on({ environment })).toEqual(["microcompact", "sessionNotes"]);
    expect(readSwitches({ environment }).sources).toMatchObject({
      compact: "DISABLE_COMPACT",
      autoCompact: "DISABLE_COMPACT",
      notesCompaction: "DISABLE_COMPACT",
      folding: "DISABLE_COMPACT",
      microcompact: "default",
    });
  });

  it("leaves compaction by hand with DISABLE_AUTO_COMPACT", () => {
    expect(on({ environment: { DISABLE_AUTO_COMPACT: "1" } })).toEqual(
      allButFolding.filter((name) => name !== "autoCompact"),
    );
  });

  it("turns only micro-compaction off with DISABLE_MICROCOMPACT", () => {
    expect(on({ environment: { DISABLE_MICROCOMPACT: "1" } })).toEqual(
      allButFolding.filter((name) => name !== "microcompact"),
    );
  });

  it("turns notes and their compaction off with ENABLE_SESSION_MEMORY=0", () => {
    const environment = { ENABLE_SESSION_MEMORY: "0" };
    expect(on({ environment })).toEqual(["compact", "autoCompact", "microcompact"]);
    expect(readSwitches({ environment }).sources.notesCompaction).toBe("ENABLE_SESSION_MEMORY");
  });

  it("turns notes compaction off by its own switch and keeps the notes", () => {
    expect(on({ environment: { ENABLE_NOTES_COMPACTION: "0" } })).toEqual(
      allButFolding.filter((name) => name !== "notesCompaction"),
    );
  });

  it.each(["1", "true", "yes", "on", "TRUE", " Yes ", "oN"])("takes %j as truthy", (word) => {
    expect(readSwitches({ environment: { DISABLE_COMPACT: word } })).toMatchObject({
      compact: false,
      warnings: [],
    });
    expect(readSwitches({ environment: { CLAUDE_CONTEXT_COLLAPSE: word } }).folding).toBe(true);
    const settings = { sessionNotesEnabled: false };
    expect(readSwitches({ environment: { ENABLE_SESSION_MEMORY: word }, settings }).sessionNotes).toBe(true);
  });

  it.each(["0", "false", "no", "off", "OFF"])("takes %j as falsy", (word) => {
    expect(readSwitches({ environment: { DISABLE_COMPACT: word } })).toMatchObject({
      compact: true,
      warnings: [],
    });
    expect(readSwitches({ environment: { ENABLE_SESSION_MEMORY: word } }).sessionNotes).toBe(false);
  });

  it.each(["2", "y", "enabled", "disable"])("ignores %j with a warning", (word) => {
    for (const setting of ["DISABLE_COMPACT", "ENABLE_SESSION_MEMORY"]) {
      const { compact, sessionNotes, warnings } = readSwitches({ environment: { [setting]: word } });
      expect({ compact, sessionNotes }).toEqual({ compact: true, sessionNotes: true });
      expect(warnings).toEqual([
        {
          setting,
          value: word,
          message: `${setting} is ignored: "${word}" is not one of 1, true, yes, on, 0, false, no, off.`,
        },
      ]);
    }
  });

  it.each(["", " "])("takes %j as not given", (word) => {
    expect(readSwitches({ environment: { DISABLE_COMPACT: word, ENABLE_SESSION_MEMORY: word } })).toEqual(
      readSwitches(),
    );
  });

  it("leaves the word to the settings when a disabling variable is falsy", () => {
    const settings = { autoCompactEnabled: false };
    expect(readSwitches({ environment: { DISABLE_AUTO_COMPACT: "0" }, settings })).toMatchObject({
      autoCompact: false,
      sources: { autoCompact: "settings.autoCompactEnabled" },
    });
  });

  it.each([
    ["autoCompactEnabled", "autoCompact"],
    ["sessionNotesEnabled", "sessionNotes"],
    ["microcompactEnabled", "microcompact"],
    ["compactEnabled", "compact"],
    ["notesCompactionEnabled", "notesCompaction"],
  ] as const)("reads the setting %s", (setting, name) => {
    expect(readSwitches({ settings: { [setting]: false } })[name]).toBe(false);
    expect(readSwitches({ settings: { [setting]: true } })[name]).toBe(true);
  });

  it("takes its own name for folding before the alias", () => {
    const environment = { PALIMPSEST_CONTEXT_COLLAPSE: "0", CLAUDE_CONTEXT_COLLAPSE: "1" };
    expect(readSwitches({ environment })).toMatchObject({
      folding: false,
      sources: { folding: "PALIMPSEST_CONTEXT_COLLAPSE" },
    });
  });

  it("listens to kill switch, option, environment, flag, settings and default, in this order", () => {
    const everyone: SwitchSources = {
      killSwitches: ["session-notes"],
      options: { sessionNotesEnabled: true },
      environment: { ENABLE_SESSION_MEMORY: "0" },
      flags: { "session-notes": true },
      settings: { sessionNotesEnabled: false },
    };
    const heard = (["killSwitches", "options", "environment", "flags", "settings"] as const).map(
      (_, dropped, order) => {
        const sources = Object.fromEntries(order.slice(dropped).map((source) => [source, everyone[source]]));
        const switches = readSwitches(sources);
        return [switches.sessionNotes, switches.sources.sessionNotes];
      },
    );
    expect(heard).toEqual([
      [false, "kill switch session-notes"],
      [true, "options.sessionNotesEnabled"],
      [false, "ENABLE_SESSION_MEMORY"],
      [true, "flag session-notes"],
      [false, "settings.sessionNotesEnabled"],
    ]);
  });

  it("has an option that turns one switch on and not the wider one", () => {
    const options = { autoCompactEnabled: true };
    expect(on({ options, environment: { DISABLE_AUTO_COMPACT: "1" } })).toContain("autoCompact");
    expect(on({ options, environment: { DISABLE_COMPACT: "1" } })).not.toContain("autoCompact");
  });
});
