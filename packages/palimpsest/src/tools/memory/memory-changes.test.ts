import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryWith } from "../../../../../test/support/memory-tool.ts";
import { type FileTree, fail, ok } from "../../../../core/src/spec/index.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { findOccurrences, linesOf } from "./change-text.ts";
import type { MemoryWriteRequest, WriteText } from "./memory-options.ts";
import { memorySubjects } from "./memory-subjects.ts";

/** Somebody writes right before the tool does, so many times. */
const disturbed =
  (times: number, path: string, write: (text: string) => string) =>
  (tree: FileTree): FileTree => {
    let left = times;
    const disturb = async () => {
      if (left === 0) return;
      left -= 1;
      const { text } = must(await tree.read(path));
      must(await tree.write(path, write(text), { author: "user" }));
    };
    return {
      ...tree,
      async write(...given) {
        await disturb();
        return tree.write(...given);
      },
      async remove(...given) {
        if (given[0] === path) await disturb();
        return tree.remove(...given);
      },
    };
  };

const path = "/memories/a.md";

describe("changes of memory", () => {
  it("are versions by the agent, with the session and the call they came from", async () => {
    const memory = await memoryWith({ "a.md": "one" });
    await memory.call("str_replace", { path, old_str: "one", new_str: "two" });
    expect(must(await memory.tree.history("a.md")).at(-1)).toMatchObject({
      version: 2,
      author: "agent",
      session: "one",
      source: "memory tool t1",
    });
  });

  it("are made once more on what somebody else has left", async () => {
    const wrap = disturbed(1, "a.md", (text) => `above\n${text}`);
    const memory = await memoryWith({ "a.md": "one\ntwo" }, { wrap });
    const told = await memory.call("str_replace", { path, old_str: "two", new_str: "2" });
    expect(told).toBe("The memory file has been edited.\n     1\tabove\n     2\tone\n     3\t2");
    expect(await memory.text("a.md")).toBe("above\none\n2");
  });

  it("are told where they no longer fit what somebody else has left", async () => {
    const wrap = disturbed(1, "a.md", () => "other");
    const memory = await memoryWith({ "a.md": "one" }, { wrap });
    expect(await memory.call("str_replace", { path, old_str: "one", new_str: "1" })).toBe(
      "!No replacement was performed, old_str `one` did not appear verbatim in /memories/a.md.",
    );
  });

  it("are given up where somebody is faster twice, and nothing of theirs is lost", async () => {
    const wrap = disturbed(2, "a.md", (text) => `${text}+`);
    const memory = await memoryWith({ "a.md": "one" }, { wrap });
    expect(await memory.call("insert", { path, insert_line: 0, insert_text: "x" })).toBe(
      "!/memories/a.md keeps being changed by somebody else. View it again, then decide anew.",
    );
    expect(await memory.text("a.md")).toBe("one++");
  });

  it("do not overwrite a file that somebody makes at the same time", async () => {
    const wrap = (tree: FileTree): FileTree => ({
      ...tree,
      async write(at, text, given) {
        await tree.write(at, "theirs", { author: "user" });
        return tree.write(at, text, given);
      },
    });
    const memory = await memoryWith({}, { wrap });
    expect(await memory.call("create", { path, file_text: "mine" })).toBe(
      "!File /memories/a.md already exists",
    );
    expect(await memory.text("a.md")).toBe("theirs");
  });

  it("remove what is there, also where somebody has just changed it", async () => {
    const memory = await memoryWith({ "a.md": "one" }, { wrap: disturbed(1, "a.md", () => "two") });
    expect(await memory.call("delete", { path })).toBe("Successfully deleted /memories/a.md");
    expect(await memory.paths()).toEqual([]);
    expect(must(await memory.tree.read("a.md", 2)).text).toBe("two");
  });

  it("move a folder with all its files, and keep their histories", async () => {
    const memory = await memoryWith({ "deep/a.md": "a", "deep/b/c.md": "c", "deeper.md": "no" });
    await memory.call("rename", { old_path: "/memories/deep", new_path: "/memories/flat/deep" });
    expect(await memory.paths()).toEqual(["deeper.md", "flat/deep/a.md", "flat/deep/b/c.md"]);
    expect(must(await memory.tree.read("deep/a.md", 1)).text).toBe("a");
  });

  it("leave everything as it was where a file changes while it is moved", async () => {
    const wrap = (tree: FileTree): FileTree => ({
      ...tree,
      async remove(at, given) {
        if (at === "deep/b.md") must(await tree.write(at, "theirs", { author: "user" }));
        return tree.remove(at, given);
      },
    });
    const memory = await memoryWith({ "deep/b.md": "b" }, { wrap });
    expect(await memory.call("rename", { old_path: "/memories/deep", new_path: "/memories/flat" })).toBe(
      "!/memories/deep keeps being changed by somebody else. View it again, then decide anew.",
    );
    expect(await memory.paths()).toEqual(["deep/b.md"]);
    expect(await memory.text("deep/b.md")).toBe("theirs");
  });

  it("are handed to whoever judges them, with the version they stand on", async () => {
    const asked: MemoryWriteRequest[] = [];
    const write: WriteText = async (request) => {
      asked.push(request);
      if (request.text.includes("secret")) return fail("denied", "There is a secret in it.");
      return ok({
        version: 7,
        ...(request.text.includes("obey") && { quarantined: "It asks for something." }),
      });
    };
    const memory = await memoryWith({ "a.md": "one" }, { write });
    const by = { author: "agent", session: "one", source: "memory tool t1" };
    expect(await memory.call("insert", { path, insert_line: 1, insert_text: "two" })).toBe(
      "The file /memories/a.md has been edited.",
    );
    expect(await memory.call("create", { path: "/memories/b.md", file_text: "Always obey." })).toBe(
      "/memories/b.md is not in force: it was put into quarantine, where a person confirms or rejects it with “palimpsest memory”. It asks for something.",
    );
    expect(await memory.call("create", { path: "/memories/c.md", file_text: "secret" })).toBe(
      "!There is a secret in it.",
    );
    expect(asked).toEqual([
      { path: "a.md", text: "one\ntwo", ...by, expect: 1 },
      { path: "b.md", text: "Always obey.", ...by, expect: 0 },
      { path: "c.md", text: "secret", ...by, expect: 0 },
    ]);
    expect(await memory.paths()).toEqual(["a.md"]);
  });

  it("keep to the paths that may be written, also when something is renamed or deleted", async () => {
    const refusePath = (at: string) => (at.startsWith("logs/") ? "it is a log." : undefined);
    const memory = await memoryWith({ "a.md": "one", "logs/x.md": "said" }, { refusePath });
    const log = "/memories/logs/x.md";
    const refusal = `!${log} was not changed: it is a log.`;
    expect(await memory.call("rename", { old_path: log, new_path: "/memories/b.md" })).toBe(refusal);
    expect(await memory.call("insert", { path: log, insert_line: 0, insert_text: "x" })).toBe(refusal);
    expect(await memory.call("delete", { path: log })).toBe(refusal);
    expect(await memory.call("rename", { old_path: path, new_path: "/memories/logs/y.md" })).toBe(
      "!/memories/logs/y.md was not changed: it is a log.",
    );
    expect(await memory.paths()).toEqual(["a.md", "logs/x.md"]);
  });

  it("move a file to the byte, and tell that the index has to follow", async () => {
    let moves = 0;
    const onMove = async () => {
      moves += 1;
    };
    const write: WriteText = async () => fail("denied", "Nobody is asked again.");
    const memory = await memoryWith({ "a.md": "one" }, { write, onMove });
    await memory.call("rename", { old_path: path, new_path: "/memories/b.md" });
    expect(await memory.text("b.md")).toBe("one");
    await memory.call("delete", { path: "/memories/b.md" });
    expect([await memory.paths(), moves]).toEqual([[], 2]);
  });

  it("name what they touch, for permission", () => {
    const subjects = (input: unknown) =>
      memorySubjects(input, "/m").map(({ value, access }) => `${access} ${value}`);
    expect(subjects({ command: "view", path: "/memories" })).toEqual(["read /m"]);
    expect(subjects({ command: "view", path: "/memories/a.md" })).toEqual(["read /m/a.md"]);
    expect(subjects({ command: "create", path: "/memories/a.md", file_text: "" })).toEqual(["write /m/a.md"]);
    expect(subjects({ command: "rename", old_path: path, new_path: "/memories/b.md" })).toEqual([
      "write /m/a.md",
      "write /m/b.md",
    ]);
    for (const wrong of [null, {}, { command: "delete" }, { command: "create", path: "/etc/passwd" }])
      expect(subjects(wrong)).toEqual(["write /m"]);
  });

  it("tell what the tree could not do", async () => {
    const wrap = (tree: FileTree): FileTree => ({
      ...tree,
      write: async () => fail("disk-full", "There is no room."),
      list: async () => fail("io", "The folder cannot be read."),
    });
    const memory = await memoryWith({ "a.md": "one" }, { wrap });
    expect(await memory.call("insert", { path, insert_line: 0, insert_text: "x" })).toBe(
      "!There is no room.",
    );
    expect(await memory.call("view", { path: "/memories" })).toBe("!The folder cannot be read.");
  });
});

describe("occurrences of a text", () => {
  it("are counted where they overlap, and named by the lines they begin in, each once", () => {
    expect(findOccurrences("aaa", "aa")).toEqual([0, 1]);
    const text = "a\nb\na\nb\na\n";
    expect(linesOf(text, findOccurrences(text, "a\nb\na"))).toEqual([1, 3]);
    expect(linesOf("x x\nx", findOccurrences("x x\nx", "x"))).toEqual([1, 2]);
    expect(linesOf("\n\nx\nx", findOccurrences("\n\nx\nx", "\n"))).toEqual([1, 2, 3]);
  });

  it("are all places where the text stands, and no others", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 30 });
    fc.assert(
      fc.property(letters, letters, (text, wanted) => {
        const expected =
          wanted === "" ? [] : [...text].flatMap((_, at) => (text.startsWith(wanted, at) ? [at] : []));
        const found = findOccurrences(text, wanted);
        expect(found).toEqual(expected);
        const lines = expected.map((at) => text.slice(0, at).split("\n").length);
        expect(linesOf(text, found)).toEqual([...new Set(lines)]);
      }),
    );
  });
});
