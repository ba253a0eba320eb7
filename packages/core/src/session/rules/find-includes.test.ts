import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findIncludes } from "./rules-collector.ts";

describe("findIncludes", () => {
  it.each([
    ["@a.md", ["a.md"]],
    ["See @docs/style.md, and @./b.md.", ["docs/style.md", "./b.md"]],
    ["- @a.md\n- (@b.md)\n@a.md", ["a.md", "b.md"]],
    ["@~/notes.md @/etc/x @../up.md", ["~/notes.md", "/etc/x", "../up.md"]],
    ["@my\\ notes.md", ["my notes.md"]],
    ["**@a.md**", []],
    ["me@example.org", []],
    ["@param @team", []],
    ["@scope/package", ["scope/package"]],
    ["`@a.md` @b.md", ["b.md"]],
    ["``a ` @a.md`` @b.md", ["b.md"]],
    ["a ` @b.md", ["b.md"]],
    ["a `\n@a.md\n` @b.md", ["b.md"]],
    ["a `\n\n@b.md\n\n` c", ["b.md"]],
    ["```\n@a.md\n```\n@b.md", ["b.md"]],
    ["````\n```\n@a.md\n```\n````\n@b.md", ["b.md"]],
    ["~~~ts\n@a.md\n```\n@c.md\n~~~\n@b.md", ["b.md"]],
    ["```\n@a.md", []],
    ["> ```\n> @a.md\n> ```\n\n@b.md", ["b.md"]],
    ["text\n\n    @a.md\n\n    @c.md\n\n@b.md", ["b.md"]],
    ["- item\n\n    @b.md", ["b.md"]],
    ["text\n    @b.md", ["b.md"]],
    ["<!-- @a.md\n@c.md --> @b.md", ["b.md"]],
    ["", []],
  ])("finds in %j: %j", (text, expected) => {
    expect(findIncludes(text)).toEqual(expected);
  });

  it("takes any text, and takes no time over a hostile one", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => Array.isArray(findIncludes(text))));
    for (const piece of ["@", "`", "` ", "``` ", "@\\", "<!--", "    ", "@a.md "])
      expect(findIncludes(piece.repeat(12_000)).length).toBeLessThan(2);
  });
});
