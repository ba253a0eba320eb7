import { describe, expect, it } from "vitest";
import { flagVariable } from "../../settings/flag.ts";
import { readFlagVariables } from "./built-in-provider.ts";
import { flagNames } from "./flag-table.ts";

describe("readFlagVariables", () => {
  it.each(flagNames.filter((name) => name !== "tool-result-limits"))("reads %s", (name) => {
    expect(readFlagVariables({ [flagVariable(name)]: "1" })).toEqual({
      flags: { [name]: true },
      warnings: [],
    });
    expect(readFlagVariables({ [flagVariable(name)]: "Off" })).toEqual({
      flags: { [name]: false },
      warnings: [],
    });
  });

  it("names a variable after its flag", () => {
    expect(flagVariable("clear-cache-edits")).toBe("PALIMPSEST_FLAG_CLEAR_CACHE_EDITS");
  });

  it("reads limits as JSON", () => {
    expect(readFlagVariables({ PALIMPSEST_FLAG_TOOL_RESULT_LIMITS: '{"Bash": 30000}' })).toEqual({
      flags: { "tool-result-limits": { Bash: 30_000 } },
      warnings: [],
    });
  });

  it.each(['{"Bash": 0}', "30000", "{Bash: 1}", "[]"])("ignores the limits %s with a warning", (value) => {
    const setting = "PALIMPSEST_FLAG_TOOL_RESULT_LIMITS";
    expect(readFlagVariables({ [setting]: value })).toEqual({
      flags: {},
      warnings: [
        {
          setting,
          value,
          message: `${setting} is ignored: ${JSON.stringify(value)} is not JSON such as {"Bash": 30000}.`,
        },
      ],
    });
  });

  it("ignores what is no switch with a warning", () => {
    expect(readFlagVariables({ PALIMPSEST_FLAG_FOLD: "maybe" })).toEqual({
      flags: {},
      warnings: [
        {
          setting: "PALIMPSEST_FLAG_FOLD",
          value: "maybe",
          message:
            'PALIMPSEST_FLAG_FOLD is ignored: "maybe" is not one of 1, true, yes, on, 0, false, no, off.',
        },
      ],
    });
  });

  it.each(["", " ", undefined])("takes %j as not given", (value) => {
    expect(readFlagVariables({ PALIMPSEST_FLAG_FOLD: value })).toEqual({ flags: {}, warnings: [] });
  });

  it("warns of a variable that no flag has", () => {
    const { flags, warnings } = readFlagVariables({
      PALIMPSEST_FLAG_CLAER: "0",
      PALIMPSEST_FLAG_KILLSWITCHES: "compact",
      PALIMPSEST_FLAG_X: "1",
      OTHER: "1",
    });
    expect(flags).toEqual({});
    expect(warnings.map(({ message }) => message)).toEqual([
      "PALIMPSEST_FLAG_CLAER is not a flag and has no effect; did you mean PALIMPSEST_FLAG_CLEAR?",
      "PALIMPSEST_FLAG_KILLSWITCHES is not a flag and has no effect; did you mean PALIMPSEST_FLAG_KILL_SWITCHES?",
      expect.stringMatching(
        /^PALIMPSEST_FLAG_X is not a flag and has no effect; known flags: tool-result-limits, /,
      ),
    ]);
  });
});
