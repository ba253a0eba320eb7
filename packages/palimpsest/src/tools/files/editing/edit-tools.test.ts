import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { beginFileTools, type FileToolBench } from "../../../../../../test/support/file-tools.ts";

async function withFile(content: string | Uint8Array): Promise<FileToolBench> {
  const bench = await beginFileTools();
  await bench.put("a.txt", content);
  await bench.call("Read", { file_path: "a.txt" });
  return bench;
}

const edit = (bench: FileToolBench, old_string: string, new_string: string, replace_all?: boolean) =>
  bench.textOf("Edit", { file_path: "a.txt", old_string, new_string, ...(replace_all && { replace_all }) });

const textIn = async (bench: FileToolBench) => String(await bench.bytesOf("a.txt"));

describe("Edit", () => {
  it("replaces a unique text, and shows the lines around", async () => {
    const bench = await withFile("1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
    expect(await edit(bench, "five", "FIVE\n5b")).toBe(
      "Edited a.txt in one place:\n2\t2\n3\t3\n4\t4\n5\tFIVE\n6\t5b\n7\t6\n8\t7\n9\t8",
    );
    expect(await textIn(bench)).toBe("1\n2\n3\n4\nFIVE\n5b\n6\n7\n8\n9\n");
  });

  it("can be followed by another without reading again", async () => {
    const bench = await withFile("a\nb\n");
    await edit(bench, "a", "A");
    await edit(bench, "b", "B");
    expect(await textIn(bench)).toBe("A\nB\n");
  });

  it("refuses a text in several places, and names their lines", async () => {
    const bench = await withFile("x\ny\nx\n");
    expect(await edit(bench, "x", "z")).toBe(
      "ERROR: old_string stands in 2 places (lines 1, 3), and must be unique. Add lines before or behind to say which one, or set replace_all to change all of them.",
    );
    expect(await edit(bench, "x", "z", true)).toMatch(/^Edited a.txt in 2 places; around the first:/);
    expect(await textIn(bench)).toBe("z\ny\nz\n");
  });

  it("counts places that overlap, and replaces those that do not", async () => {
    const bench = await withFile("aaa");
    expect(await edit(bench, "aa", "b")).toMatch(/stands in 2 places/);
    expect(await edit(bench, "aa", "b", true)).toMatch(/in one place/);
    expect(await textIn(bench)).toBe("ba");
  });

  it("names ten lines at most", async () => {
    const bench = await withFile("x\n".repeat(30));
    expect(await edit(bench, "x", "y")).toMatch(
      /30 places \(lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, and 20 more\)/,
    );
  });

  it("says where a text stands with other white space or quotation marks", async () => {
    const bench = await withFile("if (a) {\n\treturn  'b';\n}\n");
    expect(await edit(bench, "    return 'b';", "x")).toBe(
      `ERROR: old_string is not in the file. It stands in line 2 with other white space or quotation marks, the first of them: "\\treturn  'b';" Read it and copy it exactly.`,
    );
    expect(await edit(bench, "if (a) {\n  return \u2018b\u2019;\n}", "x")).toMatch(
      /It stands in lines 1 to 3 with other/,
    );
  });

  it("says where a text begins to differ", async () => {
    const bench = await withFile("alpha\nbeta\ngamma\n");
    expect(await edit(bench, "alpha\nbeta\ndelta", "x")).toBe(
      'ERROR: old_string is not in the file. Its first line is like line 1, but line 3 differs; the file has there: "gamma" Read that part again, and copy from it.',
    );
    expect(await edit(bench, "gamma\n\nomega", "x")).toMatch(/line 5 differs; the file ends before\./);
    expect(await edit(bench, "nothing", "x")).toMatch(/Nothing like its first line is there either/);
  });

  it("says that line numbers are not part of the file", async () => {
    const bench = await withFile("alpha\nbeta\n");
    expect(await edit(bench, "1\talpha\n2\tbeta", "x")).toMatch(/Leave out the line numbers and tabs/);
  });

  it("refuses what changes nothing", async () => {
    const bench = await withFile("a\r\n");
    expect(await edit(bench, "a", "a")).toMatch(/are the same/);
    expect(await edit(bench, "", "b")).toMatch(
      /old_string is empty\. Give the text to replace; to make a new file/,
    );
    expect(await edit(bench, "a\n", "a\r\n")).toMatch(/would leave the file as it is/);
  });

  it("needs a read that is still true", async () => {
    const bench = await beginFileTools();
    const path = await bench.put("a.txt", "one\n");
    expect(await edit(bench, "one", "two")).toMatch(/Read it first/);
    await bench.call("Read", { file_path: "a.txt", limit: 1 });
    await writeFile(path, "one more\n");
    expect(await edit(bench, "one", "two")).toMatch(/has changed since it was read/);
    expect(await textIn(bench)).toBe("one more\n");
  });

  it("keeps CRLF and the byte order mark", async () => {
    const bench = await withFile("\ufeffone\r\ntwo\r\nthree\r\n");
    await edit(bench, "one\ntwo\n", "one\n1.5\ntwo\n");
    expect(await textIn(bench)).toBe("\ufeffone\r\n1.5\r\ntwo\r\nthree\r\n");
    await edit(bench, "three", "3\r\n4");
    expect(await textIn(bench)).toBe("\ufeffone\r\n1.5\r\ntwo\r\n3\r\n4\r\n");
  });

  it("keeps mixed line ends where nothing is new, and takes the nearest for what is", async () => {
    const bench = await withFile("a\r\nb\nc\r\nd\n");
    await edit(bench, "a\nb\nc\nd", "a\nb\nX\nY\nc\nd");
    expect(await textIn(bench)).toBe("a\r\nb\nX\r\nY\r\nc\r\nd\n");
  });

  it("takes a CR as it is where it is asked for", async () => {
    const bench = await withFile("a\r\nb\r\n");
    await edit(bench, "a\r\n", "a\n");
    expect(await textIn(bench)).toBe("a\nb\r\n");
    await edit(bench, "a", "a\r\nA");
    expect(await textIn(bench)).toBe("a\r\nA\nb\r\n");
    await edit(bench, "A\nb\n", "A\nB\r\n");
    expect(await textIn(bench)).toBe("a\r\nA\nB\r\n");
  });

  it("edits UTF-16 and text in an old encoding without damage", async () => {
    const wide = await withFile(Buffer.from("\ufeffGrüße\r\nzwei\ud800\r\n", "utf16le"));
    await edit(wide, "Grüße\n", "Gruß 🙂\n");
    expect((await wide.bytesOf("a.txt")).toString("utf16le")).toBe("\ufeffGruß 🙂\r\nzwei\ud800\r\n");
    const big = await withFile(Buffer.from("\ufeffab", "utf16le").swap16());
    await edit(big, "b", "ü");
    expect((await big.bytesOf("a.txt")).swap16().toString("utf16le")).toBe("\ufeffaü");
    const old = await withFile(Buffer.from("Grüße aus München\nzwei\n", "latin1"));
    await edit(old, "zwei", "drei");
    expect((await old.bytesOf("a.txt")).toString("latin1")).toBe("Grüße aus München\ndrei\n");
  });

  it("refuses binary and large files, with what to do", async () => {
    const bench = await beginFileTools({ limits: { editBytes: 20 } });
    await bench.put("a.txt", "x".repeat(21));
    await bench.put("b.bin", "a\0b");
    await bench.call("Read", { file_path: "a.txt" });
    expect(await edit(bench, "x", "y")).toMatch(
      /has 21 bytes, over the 20 this takes\. Change it with a program/,
    );
    const sha256 = createHash("sha256").update("a\0b").digest("hex");
    const known = { path: "", sha256, bytes: 3, modifiedMs: 0 };
    const input = { file_path: "b.bin", old_string: "a", new_string: "c" };
    expect(await bench.textOf("Edit", input, { fileStamp: () => known })).toMatch(/is no text file/);
  });

  it("refuses a text in more places than anybody means", async () => {
    const bench = await withFile("x".repeat(200_000));
    expect(await edit(bench, "x", "y", true)).toMatch(/in more than 100000 places/);
  });
});

describe("MultiEdit", () => {
  it("makes edits in their order, each on what the one before left", async () => {
    const bench = await withFile("a\nb\n");
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "c", replace_all: true },
    ];
    expect(await bench.textOf("MultiEdit", { file_path: "a.txt", edits })).toBe(
      "Edited a.txt in 3 places; around the last edit:\n1\tc\n2\tc",
    );
    expect(await textIn(bench)).toBe("c\nc\n");
  });

  it("makes none where one fails, and says which", async () => {
    const bench = await withFile("a\nb\n");
    const edits = [
      { old_string: "a", new_string: "A" },
      { old_string: "gone", new_string: "B" },
    ];
    expect(await bench.textOf("MultiEdit", { file_path: "a.txt", edits })).toMatch(
      /^ERROR: Edit 2: old_string is not in the file\. .* No edit was applied: all of them are, or none\.$/,
    );
    expect(await textIn(bench)).toBe("a\nb\n");
  });

  it("refuses edits that undo each other", async () => {
    const bench = await withFile("a\n");
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "a" },
    ];
    expect(await bench.textOf("MultiEdit", { file_path: "a.txt", edits })).toMatch(
      /would leave the file as it is/,
    );
  });
});
