import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryWith } from "../../../../../test/support/memory-tool.ts";
import { toMemoryPath } from "./memory-path.ts";

const hostile: readonly (readonly [string, string])[] = [
  ["/etc/passwd", "it is not below /memories"],
  ["memories/a.md", "it is not below /memories"],
  ["a.md", "it is not below /memories"],
  ["", "it is not below /memories"],
  ["/", "it is not below /memories"],
  ["/memoriesx/a.md", "it is not below /memories"],
  ["/Memories/a.md", "it is not below /memories"],
  ["//memories/a.md", "it is not below /memories"],
  ["/memories/../etc/passwd", "it leads through “.” or “..”"],
  ["/memories/a/../../b.md", "it leads through “.” or “..”"],
  ["/memories/./a.md", "it leads through “.” or “..”"],
  ["/memories/..", "it leads through “.” or “..”"],
  ["/memories/%2e%2e/a.md", "it holds a percent sign"],
  ["/memories/%252e%252e/a.md", "it holds a percent sign"],
  ["/memories/%25252e%25252e%2fa.md", "it holds a percent sign"],
  ["/memories/a\0.md", "it holds characters that cannot be seen"],
  ["/memories/a\u202eb.md", "it holds characters that cannot be seen"],
  ["/memories/a\u200bb.md", "it holds characters that cannot be seen"],
  ["/memories/a\nb.md", "it holds characters that cannot be seen"],
  ["/memories/..\\..\\a.md", "it holds a backslash"],
  ["\\memories\\a.md", "it holds a backslash"],
  ["/memories//a.md", "a part of it is empty"],
  ["/memories/ /a.md", "a part of it is empty"],
  ["/memories/.history/a.md/1", "it is hidden"],
  ["/memories/.consolidate-lock", "it is hidden"],
  [`/memories/${"a".repeat(241)}`, "it has more than 240 bytes"],
  [`/memories/${"é".repeat(121)}`, "it has more than 240 bytes"],
];

describe("a path of the memory tool", () => {
  it.each(hostile)("%j is refused: %s", async (path, why) => {
    const memory = await memoryWith({ "a.md": "one" });
    const told = `!The path ${JSON.stringify(path)} cannot be used: ${why}. Use a path such as /memories/topic.md.`;
    expect(await memory.call("view", { path })).toBe(told);
    expect(await memory.call("create", { path, file_text: "x" })).toBe(told);
    expect(await memory.call("insert", { path, insert_line: 0, insert_text: "x" })).toBe(told);
    expect(await memory.call("delete", { path })).toBe(told);
    expect(await memory.call("rename", { old_path: "/memories/a.md", new_path: path })).toBe(told);
    expect(await memory.paths()).toEqual(["a.md"]);
  });

  it("into quarantine is refused, whatever its case", async () => {
    const memory = await memoryWith({ "a.md": "one" });
    for (const folder of ["quarantine", "Quarantine", "QUARANTINE"])
      expect(await memory.call("create", { path: `/memories/${folder}/x.md`, file_text: "x" })).toMatch(
        /is in quarantine/,
      );
    const move = { old_path: "/memories/a.md", new_path: "/memories/quarantine/a.md" };
    expect(await memory.call("rename", move)).toMatch(/is in quarantine/);
  });

  it("that the tree cannot take is refused by the tree, with what to do", async () => {
    const memory = await memoryWith();
    expect(await memory.call("create", { path: "/memories/what?.md", file_text: "x" })).toMatch(
      /^!"what\?\.md" cannot name a file of a tree\./,
    );
  });

  it("names the same file however its letters are composed", async () => {
    const memory = await memoryWith();
    await memory.call("create", { path: "/memories/ü.md", file_text: "x" });
    expect(await memory.call("view", { path: "/memories/u\u0308.md" })).toContain("     1\tx");
  });

  it("never leads out of the folder", () => {
    const unit = fc.constantFrom("a", ".", "/", "\\", "%", "2", "e", "\0", "~", "memories", "..");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (parts) => {
        const path = toMemoryPath(`/memories/${parts.join("")}`);
        if (!path.ok) return;
        const { pathname } = new URL(`file:///memories/${path.value.inTree}`);
        expect(decodeURI(pathname).replace(/\/$/, "")).toBe(
          `/memories/${path.value.inTree}`.replace(/\/$/, ""),
        );
      }),
    );
  });
});
