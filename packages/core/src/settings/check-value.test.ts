import { describe, expect, it } from "vitest";
import { checkValue } from "./check-value.ts";
import { amount, count, none } from "./declare.ts";
import {
  fieldsOf,
  listOf,
  numberFrom,
  numberSchema,
  oneOf,
  orNull,
  schemaOf,
  switchSchema,
  tableOf,
  textSchema,
  wholeNumber,
} from "./schemas.ts";

const schema = fieldsOf<Record<string, unknown>>({
  layers: fieldsOf<Record<string, unknown>>({
    clear: fieldsOf<Record<string, unknown>>({ keepNewest: wholeNumber(1), enabled: switchSchema }),
  }),
  percent: numberSchema({ over: 0, most: 100 }),
  dollars: numberFrom(0),
  level: oneOf("process", "fsync", "relaxed"),
  name: textSchema,
  tools: tableOf(wholeNumber(1)),
  servers: listOf(textSchema),
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
    [{ tier: { from: 1 } }, "tier: to is missing; add to (a whole number ≥ 1)"],
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

  it("tells the first 20 problems and counts the rest, so that nobody waits for a flood of them", () => {
    const checked = checkValue({ servers: Array.from({ length: 200_000 }, () => 1) }, schema);
    expect(checked).toMatchObject({ moreProblems: 1_000 });
    expect(checked.problems.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, position) => `servers[${position}]`),
    );
    expect(checkValue({ servers: Array.from({ length: 25 }, () => 1) }, schema).moreProblems).toBe(5);
  });

  it("tells the first 20 unknown names, the known ones once, and counts the rest", () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, number) => [`zzzzzzzz${number}`, 1]));
    const { unknown, moreUnknown } = checkValue(many, schema);
    expect([unknown.length, moreUnknown]).toEqual([20, 49_980]);
    expect(unknown.slice(0, 2).map(({ fix }) => fix)).toEqual([
      "known here: layers, percent, dollars, level, name, tools, servers, tier",
      "remove it",
    ]);
  });

  it.each<[object, string]>([
    [{ "layers.clear.keepNewest": 5 }, 'write {"layers": {"clear": {"keepNewest": 5}}}'],
    [{ keepNewest: 5 }, 'write {"layers": {"clear": {"keepNewest": 5}}}'],
    [{ layers: { "clear.keepNewest": 5 } }, 'write {"layers": {"clear": {"keepNewest": 5}}}'],
    [{ layers: { percent: 5 } }, "it belongs at the top of the file, as percent"],
    [{ clear: { keepNewest: "x".repeat(50) } }, 'write {"layers": {"clear": …}}'],
    [{ nаme: "a" }, "did you mean name? “а” (U+0430) is not a Latin letter"],
  ])("says where a name belongs: %j", (value, fix) => {
    expect(checkValue(value, schema).unknown.map((one) => one.fix)).toEqual([fix]);
  });

  it("refuses an unknown name where a limit may be meant", () => {
    const limits = schemaOf({
      budget: { dollars: amount(none, "a limit", { isProtecting: true }) },
      colour: count(1, "no limit"),
    });
    const named = (value: unknown) =>
      checkValue(value, limits).problems.map(({ path, fix }) => `${path}: ${fix}`);
    expect(named({ budget: { dollar: 5 } })).toEqual(["budget.dollar: did you mean dollars?"]);
    expect(named({ budgets: { dollars: 5 } })).toEqual(["budgets: did you mean budget?"]);
    expect(named({ dollars: 5 })).toEqual(['dollars: write {"budget": {"dollars": 5}}']);
    expect(named({ "budget.dollars": 5 })).toEqual(['["budget.dollars"]: write {"budget": {"dollars": 5}}']);
    expect(checkValue({ colours: 5 }, limits)).toMatchObject({ value: {}, problems: [] });
  });

  it.each<[unknown, string]>([
    [Number.NaN, "NaN"],
    [Number.POSITIVE_INFINITY, "Infinity"],
    [5n, "5n"],
    [{ a: 5n }, "an object that is no JSON: it contains itself, or a BigInt"],
  ])("names a value that JSON has no word for: %s", (value, shown) => {
    const [problem] = checkValue({ percent: value }, schema).problems;
    expect(problem?.problem).toBe(`expected a number > 0 and ≤ 100, got ${shown}`);
  });

  it("names a value that contains itself", () => {
    const value: { self?: unknown } = {};
    value.self = value;
    const [problem] = checkValue({ name: value }, schema).problems;
    expect(problem?.problem).toContain("it contains itself");
  });
});
