import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginFileTools } from "../../../../../../test/support/file-tools.ts";
import { cellsOf } from "./cell-surgery.ts";
import { editNotebook } from "./edit-notebook.ts";

const notebook = {
  cells: [
    { cell_type: "markdown", id: "intro", metadata: { "2": 1, a: 0 }, source: ["# Title\n", "words"] },
    {
      cell_type: "code",
      execution_count: 3,
      id: "sum",
      metadata: { tags: ["x"] },
      outputs: [
        { name: "stdout", output_type: "stream", text: ["6\n"] },
        {
          data: { "image/png": "aGVsbG8=", "text/plain": ["<Figure>"] },
          metadata: {},
          output_type: "display_data",
        },
        { ename: "E", evalue: "bad", output_type: "error", traceback: ["\u001b[31mline 1\u001b[0m"] },
      ],
      source: "print(1+2+3)",
    },
  ],
  metadata: { kernelspec: { name: "python3" } },
  nbformat: 4,
  nbformat_minor: 5,
};

const pretty = `${JSON.stringify(notebook, null, 1)}\n`;

describe("Read of a notebook", () => {
  it("shows cells with their numbers, ids and outputs, as pages of lines", async () => {
    const bench = await beginFileTools();
    await bench.put("n.ipynb", pretty);
    expect(await bench.textOf("Read", { file_path: "n.ipynb" })).toBe(
      [
        "Notebook with 2 cells",
        "1\t=== cell 1 (id intro), markdown ===",
        "2\t# Title",
        "3\twords",
        "4\t",
        "5\t=== cell 2 (id sum), code, run as [3] ===",
        "6\tprint(1+2+3)",
        "7\t--- stdout ---",
        "8\t6",
        "9\t",
        "10\t--- output ---",
        "11\t<Figure>",
        "12\t[image/png, 8 characters, not shown]",
        "13\t--- error ---",
        "14\tE: bad",
        "15\tline 1",
      ].join("\n"),
    );
    expect(await bench.textOf("Read", { file_path: "n.ipynb", offset: 5, limit: 1 })).toMatch(
      /^Notebook with 2 cells\n5\t=== cell 2 .*\n\[Lines 5 to 5 of 15\. Go on with offset 6\.\]$/,
    );
  });

  it("cuts long outputs, and says of odd ones what they are", async () => {
    const bench = await beginFileTools({ limits: { outputChars: 5 } });
    const outputs = [{ output_type: "stream", text: "0123456789" }, 7, { output_type: "display_data" }];
    await bench.put("n.ipynb", JSON.stringify({ cells: [{ cell_type: "code", source: "", outputs }] }));
    const text = await bench.textOf("Read", { file_path: "n.ipynb" });
    expect(text).toContain("01234… [5 more characters of this output]");
    expect(text).toContain("--- output of an unknown kind ---");
    expect(text).toContain("(noth…");
  });

  it.each(["{", "[]", '{"cells":7}', '{"cells":[{}]}', '{"cells":[{"cell_type":"code","source":[7]}]}'])(
    "shows what is no notebook as the text it is: %s",
    async (json) => {
      const bench = await beginFileTools();
      await bench.put("n.ipynb", `${json}\n`);
      expect(await bench.textOf("Read", { file_path: "n.ipynb" })).toBe(`1\t${json}`);
      const input = { notebook_path: "n.ipynb", cell_number: 1, new_source: "" };
      expect(await bench.textOf("NotebookEdit", input)).toMatch(/is no notebook of format 4/);
    },
  );
});

describe("NotebookEdit", () => {
  async function edited(json: string, input: Record<string, unknown>): Promise<string> {
    const bench = await beginFileTools();
    await bench.put("n.ipynb", json);
    await bench.call("Read", { file_path: "n.ipynb" });
    const text = await bench.textOf("NotebookEdit", { notebook_path: "n.ipynb", ...input });
    return text.startsWith("ERROR") ? text : String(await bench.bytesOf("n.ipynb"));
  }

  it("replaces the source of a cell, and takes out what it had put out", async () => {
    const [intro, sum] = notebook.cells;
    const cells = [intro, { ...sum, execution_count: null, outputs: [], source: "x = 1\ny" }];
    expect(await edited(pretty, { cell_id: "sum", new_source: "x = 1\ny" })).toBe(
      `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`,
    );
    const lines = [{ ...intro, source: ["a\n", "b"] }, sum];
    expect(await edited(pretty, { cell_number: 1, new_source: "a\nb" })).toBe(
      `${JSON.stringify({ ...notebook, cells: lines }, null, 1)}\n`,
    );
  });

  it("changes the type of a cell, with the members that belong to it", async () => {
    const code = JSON.parse(await edited(pretty, { cell_number: 1, new_source: "1", cell_type: "code" }));
    expect(code.cells[0]).toEqual({
      cell_type: "code",
      id: "intro",
      metadata: { "2": 1, a: 0 },
      source: ["1"],
      execution_count: null,
      outputs: [],
    });
    const words = JSON.parse(await edited(pretty, { cell_number: 2, new_source: "", cell_type: "markdown" }));
    expect(words.cells[1]).toEqual({
      cell_type: "markdown",
      id: "sum",
      metadata: { tags: ["x"] },
      source: "",
    });
  });

  it("inserts behind a cell, or before all, in the layout of the file", async () => {
    const fresh = {
      cell_type: "code",
      execution_count: null,
      id: "cell_000001",
      metadata: {},
      outputs: [],
      source: ["new"],
    };
    const [intro, sum] = notebook.cells;
    const text = (cells: readonly unknown[]) => `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
    const insert = { edit_mode: "insert", new_source: "new" };
    expect(await edited(pretty, { ...insert, cell_id: "intro" })).toBe(text([intro, fresh, sum]));
    expect(await edited(pretty, { ...insert, cell_number: 2 })).toBe(text([intro, sum, fresh]));
    expect(await edited(pretty, insert)).toBe(text([fresh, intro, sum]));
    expect(await edited(text([]), insert)).toBe(text([fresh]));
  });

  it("deletes a cell, the last and the only one too", async () => {
    const [intro, sum] = notebook.cells;
    const text = (cells: readonly unknown[]) => `${JSON.stringify({ ...notebook, cells }, null, 1)}\n`;
    const remove = { edit_mode: "delete" };
    expect(await edited(pretty, { ...remove, cell_number: 1 })).toBe(text([sum]));
    expect(await edited(pretty, { ...remove, cell_number: 2 })).toBe(text([intro]));
    expect(await edited(text([sum]), { ...remove, cell_id: "sum" })).toBe(text([]));
  });

  it("keeps numbers, escapes, key order and layout that JSON would not give back", async () => {
    const odd =
      '{"big": 12345678901234567890, "z": 1.0, "1": "\\u00e9",\r\n\t"cells": [ {"source": ["a"], "cell_type":"raw", "m": 1e2} ], "b": "\\"]}" }\r\n';
    expect(await edited(odd, { cell_number: 1, new_source: "b\nc" })).toBe(
      odd.replace('["a"]', '["b\\n","c"]'),
    );
  });

  it("keeps CRLF between the lines of the JSON", async () => {
    const crlf = pretty.replaceAll("\n", "\r\n");
    const changed = await edited(crlf, { cell_number: 1, new_source: "a\nb" });
    expect(changed.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("says what is missing or wrong", async () => {
    expect(await edited(pretty, { new_source: "x" })).toMatch(
      /not said which cell to replace\. Give cell_id/,
    );
    expect(await edited(pretty, { cell_id: "gone", new_source: "x" })).toMatch(
      /has no cell with the id gone\. It has 2 cells; read it/,
    );
    expect(await edited(pretty, { cell_number: 3, new_source: "x" })).toMatch(/has no cell with number 3/);
    expect(await edited(pretty, { cell_number: 1, cell_id: "sum", new_source: "x" })).toMatch(/Both cell_id/);
    expect(await edited(pretty, { cell_number: 1 })).toMatch(/new_source is missing/);
    const bench = await beginFileTools();
    await bench.put("n.ipynb", pretty);
    await bench.put("n.py", "");
    const input = { notebook_path: "n.ipynb", cell_number: 1, new_source: "x" };
    expect(await bench.textOf("NotebookEdit", input)).toMatch(/Read it first/);
    expect(await bench.textOf("NotebookEdit", { ...input, notebook_path: "n.py" })).toMatch(/Use Edit/);
  });

  it("changes nothing but the one cell, in any notebook and layout", () => {
    const cell = fc.record({
      cell_type: fc.constantFrom("code", "markdown", "raw"),
      metadata: fc.jsonValue({ maxDepth: 2 }),
      source: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 3 })),
    });
    const any = fc.record({
      before: fc.jsonValue(),
      cells: fc.array(cell, { minLength: 1, maxLength: 4 }),
      behind: fc.jsonValue(),
    });
    fc.assert(
      fc.property(
        any,
        fc.nat(),
        fc.constantFrom("", " ", "  ", "\t"),
        fc.string(),
        (value, pick, unit, source) => {
          const number = 1 + (pick % value.cells.length);
          const json = JSON.stringify(value, null, unit);
          const changed = editNotebook(json, "/n.ipynb", {
            mode: "replace",
            cell: { number },
            source,
            newId: "c",
          });
          if (!changed.ok) throw changed.error;
          const result = JSON.parse(changed.value.json) as typeof value;
          const expected = JSON.parse(json) as typeof value;
          const there = result.cells[number - 1];
          expect([there?.source].flat().join("")).toBe(source);
          expect(there?.metadata).toEqual(expected.cells[number - 1]?.metadata);
          const others = (all: typeof value) => ({
            ...all,
            cells: all.cells.filter((_, at) => at !== number - 1),
          });
          expect(others(result)).toEqual(others(expected));
          if (there?.cell_type !== "code")
            expect(JSON.stringify(result, null, unit)).toBe(changed.value.json);
        },
      ),
    );
  });
});

describe("the places of cells and of what is in them", () => {
  it("are those that a parser sees", () => {
    const cells = fc.array(fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(cells, fc.jsonValue(), fc.constantFrom("", "\t"), (value, other, unit) => {
        const json = JSON.stringify({ cells: other, metadata: other }, null, unit);
        const whole = `${json.slice(0, -1)}, "cells": ${JSON.stringify(value, null, unit)}}`;
        const { array, elements } = cellsOf(whole) ?? { array: { start: 0, end: 0 }, elements: [] };
        const read = ({ start, end }: { start: number; end: number }) => JSON.parse(whole.slice(start, end));
        const seen = elements.map(({ members }) => members.map((member) => [member.key, read(member)]));
        expect(read(array)).toEqual(JSON.parse(whole).cells);
        expect(elements.map(read)).toEqual(JSON.parse(whole).cells);
        expect(seen).toEqual(JSON.parse(whole).cells.map(Object.entries));
      }),
    );
  });

  it("are not looked for below thousands of levels", () => {
    expect(cellsOf(`{"cells": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`)).toBeUndefined();
  });
});
