import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSettingsJson } from "./parse-settings-json.ts";

function byTheBook(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

describe("parseSettingsJson", () => {
  it("reads what JSON.parse reads", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.constantFrom(undefined, 2, "\t"), async (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const parsed = await parseSettingsJson(text);
        expect(parsed.ok && parsed.value.value).toEqual(JSON.parse(text));
      }),
    );
  });

  it("refuses what JSON.parse refuses, whatever one change does to a text", async () => {
    const characters = fc.constantFrom(..."{}[]\",:\\/'#0-.eEtfnul1 \n\t\u0000\u2028é");
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.nat(), fc.nat(1), characters, async (text, position, removed, added) => {
        const at = position % (text.length + 1);
        const changed = text.slice(0, at) + added + text.slice(at + removed);
        const [ours, book] = [await parseSettingsJson(changed), byTheBook(changed)];
        if (ours.ok) expect(book).toEqual({ value: ours.value.value });
        else if (!/twice/.test(ours.error.problem)) expect(book).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it("points into the text or right behind it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => {
        const parsed = await parseSettingsJson(text);
        if (parsed.ok) return;
        const lines = text.split("\n");
        const { line, column } = parsed.error;
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
      }),
    );
  });

  it.each([
    ["", 1, 1, "the file is empty", "write {} or remove the file"],
    [" \n ", 2, 2, "the file is empty", "write {} or remove the file"],
    ['{"a": 1,}', 1, 8, "a comma stands before }", "remove the comma"],
    ["[1,\n]", 1, 3, "a comma stands before ]", "remove the comma"],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'expected a comma or }, got "\\""', "add a comma before it"],
    ["[1 2]", 1, 4, 'expected a comma or ], got "2"', "add a comma before it"],
    ['{"a": 1', 1, 8, "the text ends where a comma or } is missing", "add what is missing"],
    ['{"a":', 1, 6, "the text ends where a value is missing", "add what is missing"],
    ["{a: 1}", 1, 2, 'expected a name in double quotes, got "a"', "put the name in double quotes"],
    ["{'a': 1}", 1, 2, "JSON has no texts in single quotes", "put it in double quotes"],
    ['{"a" 1}', 1, 6, 'expected a colon, got "1"', "put a colon between name and value"],
    ['{\r\n  // why\r\n  "a": 1}', 2, 3, "JSON has no comments", "remove the comment"],
    ['{"a": 1 /* why */}', 1, 9, "JSON has no comments", "remove the comment"],
    ["# why", 1, 1, "JSON has no comments", "remove the comment"],
    ['{"a": 1, "b": 2, "a": 3}', 1, 18, '"a" is there twice', "keep one of them"],
    ['{"a": "one\ntwo"}', 1, 7, "a text is not closed on its line", "close it with a double quote"],
    ['"one', 1, 1, "a text is not closed on its line", "close it with a double quote"],
    ['"a\tb"', 1, 3, "a control character stands in a text", "write it as an escape, such as \\t"],
    ['"C:\\path"', 1, 4, "a backslash begins no escape here", "write \\\\ for a backslash"],
    ["{} {}", 1, 4, 'expected the end, got "{"', "keep one value in the file"],
    ['{"a": yes}', 1, 7, "yes is no value in JSON", "write true"],
    ["{\n\n    😀}", 3, 5, 'expected a name in double quotes, got "😀"', "put the name in double quotes"],
  ])("says where %j is broken: line %i, column %i", async (text, line, column, problem, fix) => {
    expect(await parseSettingsJson(text)).toEqual({ ok: false, error: { line, column, problem, fix } });
  });

  it.each(["01", "+1", ".5", "1.", "1e", "-", "NaN", "Infinity", "0x10", "truer", "nul", "undefined"])(
    "knows that %s is no value",
    async (text) => {
      expect(await parseSettingsJson(text)).toMatchObject({ ok: false, error: { line: 1, column: 1 } });
    },
  );

  it("keeps a field named __proto__ a field", async () => {
    const parsed = await parseSettingsJson('{"__proto__": {"polluted": true}}');
    expect(parsed.ok && Object.keys(Object(parsed.value.value))).toEqual(["__proto__"]);
    expect(parsed.ok && Object(parsed.value.value).polluted).toBeUndefined();
  });

  it("refuses endless nesting instead of running out of stack", async () => {
    expect(await parseSettingsJson("[".repeat(200_000))).toMatchObject({
      ok: false,
      error: { problem: "there are over 100 levels here" },
    });
    expect(await parseSettingsJson(`${"[".repeat(5_000)}${"]".repeat(5_000)}`)).toMatchObject({
      ok: false,
      error: { problem: "there are over 100 levels here" },
    });
  });

  it("says where each name and each value stands", async () => {
    const parsed = await parseSettingsJson('{\n  "a": { "b c": [1, true] }\n}');
    if (!parsed.ok) throw new Error("It is JSON.");
    const { names, values } = parsed.value.places;
    expect(Object.fromEntries(names)).toEqual({
      a: { line: 2, column: 3 },
      'a["b c"]': { line: 2, column: 10 },
    });
    expect(Object.fromEntries(values)).toEqual({
      "": { line: 1, column: 1 },
      a: { line: 2, column: 8 },
      'a["b c"]': { line: 2, column: 17 },
      'a["b c"][0]': { line: 2, column: 18 },
      'a["b c"][1]': { line: 2, column: 21 },
    });
  });

  it("counts columns in characters, as a person does", async () => {
    const parsed = await parseSettingsJson('{"😀😀": 1, "b": 2}');
    if (!parsed.ok) throw new Error("It is JSON.");
    expect(parsed.value.places.names.get("b")).toEqual({ line: 1, column: 11 });
    expect(await parseSettingsJson('{"😀😀": 1, b: 2}')).toMatchObject({ error: { line: 1, column: 11 } });
  });

  it.each([
    ["0x2", "2"],
    ["02", "2"],
    ["5.", "5"],
    [".5", "0.5"],
    ["+5", "5"],
    ["True", "true"],
    ["None", "null"],
  ])("says how to write %s in JSON", async (written, meant) => {
    expect(await parseSettingsJson(`{"a": ${written}}`)).toMatchObject({
      error: { column: 7, problem: `${written} is no value in JSON`, fix: `write ${meant}` },
    });
  });
});
