import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolNames } from "./tool-shelf.ts";

const nameOf = (server: string, tool: string) => createToolNames().nameOf(server, tool);

describe("createToolNames", () => {
  it("leaves clear names as they are", () => {
    expect(nameOf("files", "read_file")).toBe("mcp__files__read_file");
    expect(nameOf("git-hub", "a__b")).toBe("mcp__git-hub__a__b");
    expect(nameOf("a", "x".repeat(56))).toBe(`mcp__a__${"x".repeat(56)}`);
  });

  it.each([
    ["files", "read file"],
    ["a__b", "c"],
    ["a_", "b"],
    ["wiki.local", "é"],
    ["a", "x".repeat(57)],
    ["", ""],
  ])("marks what is not clear: %s, %s", (server, tool) => {
    expect(nameOf(server, tool)).toMatch(/^mcp__[\w-]{0,50}_[0-9a-f]{8}$/);
  });

  it("gives two tools two names, though one aims at the other's", () => {
    const names = createToolNames();
    const marked = names.nameOf("a", "b c");
    const aimed = names.nameOf("a", marked.slice("mcp__a__".length));
    expect(aimed).not.toBe(marked);
    expect(names.nameOf("a", "b c")).toBe(marked);
  });

  it("gives every pair a legal name of its own, whatever was named before", () => {
    const part = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.string({ unit: fc.constantFrom("a", "b", "_", "-", " "), maxLength: 6 }),
    );
    const pairs = fc.uniqueArray(fc.tuple(part, part), {
      selector: (pair) => pair.join("\0"),
      maxLength: 30,
    });
    fc.assert(
      fc.property(pairs, (given) => {
        const [forth, back] = [createToolNames(), createToolNames()];
        const names = given.map(([server, tool]) => forth.nameOf(server, tool));
        const again = given.toReversed().map(([server, tool]) => back.nameOf(server, tool));
        expect(new Set(names).size).toBe(given.length);
        expect(again.toReversed()).toEqual(names);
        expect(names.filter((name) => !/^[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([]);
      }),
    );
  });
});
