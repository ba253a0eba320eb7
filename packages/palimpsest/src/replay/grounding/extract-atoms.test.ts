import { describe, expect, it } from "vitest";
import { type AtomType, extractAtoms } from "./extract-atoms.ts";
import { blockText } from "./recorded-blocks.ts";

const texts = (input: unknown, type: AtomType) =>
  extractAtoms({ input }).flatMap((atom) => (atom.type === type ? atom.text : []));

describe("extracting atoms", () => {
  it("takes the whole old string of an edit, from twelve characters on", () => {
    const old = "const one = 1;\nconst two = 2;";
    expect(texts({ old_string: old, new_string: "x" }, "edit_old")).toEqual([old]);
    expect(texts({ old_string: "short" }, "edit_old")).toEqual([]);
    expect(texts({ edits: [{ old_string: old }, { old_string: "another old string" }] }, "edit_old")).toEqual(
      [old, "another old string"],
    );
  });

  it("takes paths, absolute and relative, in arguments and in commands", () => {
    expect(texts({ file_path: "/home/me/a.ts", command: "cat src/log/codec.ts | wc" }, "path")).toEqual([
      "/home/me/a.ts",
      "src/log/codec.ts",
    ]);
  });

  it("takes names of six characters and more that are not words", () => {
    const pattern = "createSession|session_id|sha256|function|isOk|HTTPServer|resolve";
    expect(texts({ pattern }, "ident")).toEqual(["createSession", "session_id", "sha256", "HTTPServer"]);
  });

  it("takes hashes, ports and versions of at least three digits", () => {
    expect(texts({ command: "git show a1b2c3d && curl :8080 && v10.2.1 42 v1.2" }, "num")).toEqual([
      "a1b2c3d",
      "8080",
      "10.2.1",
    ]);
  });

  it("takes addresses without what follows them, and nothing of them twice", () => {
    const input = { prompt: "See https://example.com/docs/page12345, please." };
    expect(texts(input, "url")).toEqual(["https://example.com/docs/page12345"]);
    expect(texts(input, "num")).toEqual([]);
  });

  it("takes long lines as quotes, but not those of an old string", () => {
    const line = "return entries.filter(isLive);";
    expect(texts({ content: `{\n  ${line}\n}` }, "quote")).toEqual([line]);
    expect(texts({ old_string: line }, "quote")).toEqual([]);
  });
});

describe("the text of a block", () => {
  it("has no line numbers of file tools", () => {
    const content = "     1→import a\n    22\tconst b = 1;\n333 apples";
    expect(blockText({ type: "tool_result", tool_use_id: "t", content })).toBe(
      "import a\nconst b = 1;\n333 apples",
    );
  });

  it("is every string of a call's input", () => {
    const input = { file_path: "/a/b", edits: [{ old_string: "x", line: 12 }], all: true };
    expect(blockText({ type: "tool_use", id: "t", name: "Edit", input })).toBe("/a/b\nx\n12");
  });
});
