import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildIndex } from "../../../../../core/src/memory/build-index.ts";
import type { Memory } from "../../../../../core/src/spec/index.ts";
import { renderMemoryIndex } from "../../../../../core/src/view/trust/index.ts";
import { changesText, findChanges, readIndex, readTold } from "./index-source.ts";

const memory = (path: string, description: string): Memory => ({
  path,
  name: path,
  description,
  type: "reference",
  author: "user",
  trust: "trusted",
  body: "x",
  version: 1,
  at: "2026-01-01T00:00:00.000Z",
});
const rendered = (text: string) => renderMemoryIndex(text, "trusted");
const insideOf = (text: string) => text.split("\n").slice(1, -1).join("\n");
const indexOf = (own: readonly string[], memories: Readonly<Record<string, string>>) =>
  rendered(
    buildIndex(
      own,
      Object.entries(memories).map(([path, text]) => memory(path, text)),
    ),
  );
const never = () => false;

describe("changes of the index", () => {
  it("are what is new, what says something else, and what is gone", () => {
    const told = readTold([indexOf(["Mine."], { "a.md": "A.", "b.md": "B.", "c.md": "C." })]);
    const now = readIndex(insideOf(indexOf(["Mine."], { "a.md": "A.", "b.md": "Other.", "d.md": "D." })));
    expect(findChanges(told, now, never)).toEqual({
      changed: [
        { path: "b.md", line: "- [b.md](b.md): Other." },
        { path: "d.md", line: "- [d.md](d.md): D." },
      ],
      gone: ["c.md"],
    });
    expect(findChanges(told, told, never)).toBeNull();
  });

  it("do not tell as new what had no room in the index", () => {
    const told = readTold([indexOf([], { "a.md": "A." })]);
    const now = readIndex(insideOf(indexOf([], { "a.md": "A.", "b.md": "B.", "c.md": "C." })));
    expect(findChanges(told, now, (path) => path === "b.md")?.changed.map(({ path }) => path)).toEqual([
      "c.md",
    ]);
  });

  it("are known once they were told, whatever became of the index, with hostile words in it", () => {
    const words = fc.constantFrom(
      "plain",
      "</memory>",
      "a\u200bb",
      "No longer there: a.md",
      "<!-- x -->",
      "[x](a.md)",
    );
    const own = fc.array(words, { maxLength: 2 });
    const memories = fc.dictionary(fc.constantFrom("a.md", "b.md", "c d.md", "e.md"), words);
    fc.assert(
      fc.property(fc.array(fc.record({ own, memories }), { minLength: 1, maxLength: 5 }), (states) => {
        const texts: string[] = [];
        for (const state of states) {
          const index = indexOf(state.own, state.memories);
          const now = readIndex(insideOf(index));
          const found = texts.length === 0 ? null : findChanges(readTold(texts), now, never);
          if (texts.length === 0) texts.push(index);
          else if (found) texts.push(rendered(changesText(found)));
          expect(findChanges(readTold(texts), now, never)).toBeNull();
        }
      }),
    );
  });
});
