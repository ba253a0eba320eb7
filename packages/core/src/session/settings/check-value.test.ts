import { describe, expect, it } from "vitest";
import { checkValue } from "./check-value.ts";
import {
  fieldsOf,
  listOf,
  numberFrom,
  oneOf,
  orNull,
  type Schema,
  tableOf,
  text,
  toggle,
  wholeNumber,
} from "./schema.ts";

const schema: Schema = fieldsOf<Record<string, unknown>>({
  layers: fieldsOf<Record<string, unknown>>({
    clear: fieldsOf<Record<string, unknown>>({ keepNewest: wholeNumber(1), enabled: toggle }),
  }),
  percent: { kind: "number", whole: false, over: 0, most: 100 },
  dollars: numberFrom(0),
  level: oneOf("process", "fsync", "relaxed"),
  name: text,
  tools: tableOf(wholeNumber(1)),
  servers: listOf(text),
  tier: orNull(
    fieldsOf<Record<string, unknown>>({ from: wholeNumber(1), to: wholeNumber(1) }, ["from", "to"]),
  ),
});

function problemsOf(value: unknown): readonly string[] {
  return checkValue(value, schema).problems.map(({ path, problem, fix }) => `${path}: ${problem}; ${fix}`);
}

describe("checkValue", () => {
  it("takes what fits, as it is", () => {
    const value = {
      layers: { clear: { keepNewest: 3, enabled: false } },
      percent: 0.5,
      dollars: 0,
      level: "fsync",
      name: "a",
      tools: { Bash: 1, "": 2 },
      servers: [],
      tier: null,
    };
    expect(checkValue(value, schema)).toEqual({ value, problems: [], unknown: [] });
  });

  it("leaves out what is undefined", () => {
    const checked = checkValue({ percent: undefined, layers: { clear: undefined } }, schema);
    expect(checked).toEqual({ value: { layers: {} }, problems: [], unknown: [] });
    expect(Object.keys(checked.value as object)).toEqual(["layers"]);
  });

  it.each<[unknown, string]>([
    [
      { layers: { clear: { keepNewest: "3" } } },
      'layers.clear.keepNewest: expected a whole number ≥ 1, got "3"; write 3 without quotes',
    ],
    [
      { layers: { clear: { keepNewest: 0 } } },
      "layers.clear.keepNewest: expected a whole number ≥ 1, got 0; write 1 or more",
    ],
    [
      { layers: { clear: { keepNewest: "0" } } },
      'layers.clear.keepNewest: expected a whole number ≥ 1, got "0"; write 1 or more',
    ],
    [
      { layers: { clear: { keepNewest: 2.6 } } },
      "layers.clear.keepNewest: expected a whole number ≥ 1, got 2.6; write 3",
    ],
    [
      { layers: { clear: { keepNewest: 1e300 } } },
      "layers.clear.keepNewest: expected a whole number ≥ 1, got 1e+300; write a smaller number",
    ],
    [
      { layers: { clear: { keepNewest: "three" } } },
      'layers.clear.keepNewest: expected a whole number ≥ 1, got "three"; write a number',
    ],
    [
      { layers: { clear: { keepNewest: "" } } },
      'layers.clear.keepNewest: expected a whole number ≥ 1, got ""; write a number',
    ],
    [
      { layers: { clear: { keepNewest: null } } },
      "layers.clear.keepNewest: expected a whole number ≥ 1, got null; remove it to use the default",
    ],
    [
      { layers: { clear: { keepNewest: true } } },
      "layers.clear.keepNewest: expected a whole number ≥ 1, got true; write a number",
    ],
    [{ percent: 0 }, "percent: expected a number > 0 and ≤ 100, got 0; write a number over 0"],
    [{ percent: 101 }, "percent: expected a number > 0 and ≤ 100, got 101; write 100 or less"],
    [{ percent: "50%" }, 'percent: expected a number > 0 and ≤ 100, got "50%"; write a number'],
    [{ dollars: -1 }, "dollars: expected a number ≥ 0, got -1; write 0 or more"],
    [
      { layers: { clear: { enabled: "true" } } },
      'layers.clear.enabled: expected true or false, got "true"; write true without quotes',
    ],
    [
      { layers: { clear: { enabled: 1 } } },
      "layers.clear.enabled: expected true or false, got 1; write true",
    ],
    [
      { layers: { clear: { enabled: "off" } } },
      'layers.clear.enabled: expected true or false, got "off"; write false',
    ],
    [
      { layers: { clear: { enabled: [] } } },
      "layers.clear.enabled: expected true or false, got []; write true or false",
    ],
    [{ level: "fsnyc" }, 'level: expected one of "process", "fsync", "relaxed", got "fsnyc"; write "fsync"'],
    [
      { level: 3 },
      'level: expected one of "process", "fsync", "relaxed", got 3; write one of them, in double quotes',
    ],
    [{ name: " " }, 'name: expected a text, not empty, got " "; write something or remove it'],
    [{ name: 7 }, "name: expected a text, not empty, got 7; write a text in double quotes"],
    [{ tools: [] }, "tools: expected an object, got []; write { } with names and values in it"],
    [{ tools: { "a b": "9" } }, 'tools["a b"]: expected a whole number ≥ 1, got "9"; write 9 without quotes'],
    [{ servers: "a" }, 'servers: expected a list, got "a"; put it in [ ]'],
    [{ servers: ["a", 2] }, "servers[1]: expected a text, not empty, got 2; write a text in double quotes"],
    [{ tier: { from: 1 } }, "tier: expected from, to, got no to; add to"],
    [{ tier: 1 }, "tier: expected an object, got 1; write { } with names and values in it"],
    [[], ": expected an object, got []; write { } with names and values in it"],
    ["x", ': expected an object, got "x"; write { } with names and values in it'],
    [
      { level: "x".repeat(100) },
      `level: expected one of "process", "fsync", "relaxed", got "${"x".repeat(59)}…; write one of them, in double quotes`,
    ],
  ])("says what is wrong with %j", (value, message) => {
    expect(problemsOf(value)).toEqual([message]);
  });

  it("reports every problem at once", () => {
    expect(problemsOf({ percent: 0, dollars: "1", servers: [1, 2] })).toHaveLength(4);
  });

  it("names what nobody reads and leaves it out", () => {
    const checked = checkValue({ layers: { claer: { keepNewest: "no" } }, colour: 1, percent: 5 }, schema);
    expect(checked).toEqual({
      value: { layers: {}, percent: 5 },
      problems: [],
      unknown: [
        {
          path: "layers.claer",
          problem: "is not a setting and has no effect",
          fix: "did you mean clear?",
          value: { keepNewest: "no" },
        },
        {
          path: "colour",
          problem: "is not a setting and has no effect",
          fix: "known here: layers, percent, dollars, level, name, tools, servers, tier",
          value: 1,
        },
      ],
    });
  });

  it("takes no name that every object has for a setting", () => {
    const value = JSON.parse('{"__proto__": 1, "toString": 2, "constructor": 3}') as unknown;
    expect(checkValue(value, schema)).toMatchObject({
      value: {},
      unknown: [{ path: "__proto__" }, { path: "toString" }, { path: "constructor" }],
    });
  });

  it("keeps a user's own name __proto__ a name", () => {
    const { value } = checkValue(JSON.parse('{"tools": {"__proto__": 5}}'), schema);
    expect(Object.keys((value as { tools: object }).tools)).toEqual(["__proto__"]);
  });
});
