import { describe, expect, it } from "vitest";
import { withNewNames } from "./old-settings.ts";
import { checkSettings } from "./read-settings.ts";

const origin = { file: "~/.palimpsest/settings.json", path: "/home/me/.palimpsest/settings.json" };

describe("settings by their old names", () => {
  it("are read, with a warning that has the new name", () => {
    const old = { sessionMemoryEnabled: false, contextCollapseEnabled: true, compactEnabled: true };
    expect(checkSettings(old, origin)).toEqual({
      ok: true,
      value: {
        settings: { sessionNotesEnabled: false, foldingEnabled: true, compactEnabled: true },
        warnings: [
          {
            file: origin.file,
            setting: "sessionMemoryEnabled",
            value: "false",
            message: `${origin.file}: sessionMemoryEnabled is called sessionNotesEnabled now; rename it`,
            isOld: true,
          },
          {
            file: origin.file,
            setting: "contextCollapseEnabled",
            value: "true",
            message: `${origin.file}: contextCollapseEnabled is called foldingEnabled now; rename it`,
            isOld: true,
          },
        ],
      },
    });
  });

  it("are named as they stand in the file where their value is wrong", () => {
    expect(checkSettings({ sessionMemoryEnabled: "no" }, origin)).toMatchObject({
      error: {
        message: `${origin.file}: sessionMemoryEnabled (now sessionNotesEnabled): expected true or false, got "no"; write false`,
      },
    });
    expect(checkSettings({ sessionMemoryEnabled: true, sessionNotesEnabled: "no" }, origin)).toMatchObject({
      error: { message: expect.stringContaining(`${origin.file}: sessionNotesEnabled: expected`) },
    });
  });

  it("count less than the new ones beside them", () => {
    const both = { sessionMemoryEnabled: true, sessionNotesEnabled: false };
    expect(withNewNames(both).settings).toEqual({ sessionNotesEnabled: false });
  });

  it("leave everything else as it is", () => {
    for (const value of [{ compactEnabled: false }, [1], "text", null, undefined]) {
      expect(withNewNames(value)).toEqual({ settings: value, found: [] });
    }
  });
});
