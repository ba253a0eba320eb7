import { describe, expect, it } from "vitest";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import type { Memory } from "../spec/index.ts";
import {
  buildIndex,
  checkIndexGrowth,
  cutIndex,
  indexLineExcess,
  indexMarker,
  indexSize,
  joinIndex,
  linkedPath,
  splitIndex,
  toFittingIndexLine,
  toIndexLine,
} from "./build-index.ts";

const memory = (path: string, more: Partial<Memory> = {}): Memory => ({
  path,
  name: path.replace(".md", ""),
  description: "when it matters",
  type: "reference",
  body: "Words.",
  author: "user",
  trust: "trusted",
  version: 1,
  at: "2026-01-01T00:00:00.000Z",
  ...more,
});

const many = (count: number, more: (index: number) => Partial<Memory> = () => ({})) =>
  Array.from({ length: count }, (_, index) => memory(`m${String(index).padStart(3, "0")}.md`, more(index)));

describe("the line of a memory", () => {
  it("links the file, and labels what came from untrusted content", () => {
    expect(toIndexLine(memory("a.md"))).toBe("- [a](a.md): when it matters");
    const odd = memory("my (old) notes.md", { name: "a [b] \\c", trust: "untrusted" });
    expect(toIndexLine(odd)).toBe("- [a \\[b\\] \\\\c](<my (old) notes.md>): when it matters (untrusted)");
    expect(toIndexLine({ ...odd, isConfirmed: true })).toMatch(/when it matters$/);
    expect([linkedPath(toIndexLine(odd)), linkedPath("- [x](a.md): y"), linkedPath("a [x](a.md)")]).toEqual([
      "my (old) notes.md",
      "a.md",
      null,
    ]);
  });

  it("stays under 150 characters", () => {
    const fitting = memory("a.md", { description: "x".repeat(149 - "- [a](a.md): ".length) });
    expect([toIndexLine(fitting).length, indexLineExcess(fitting)]).toEqual([149, 0]);
    const long = memory("a.md", { description: `${fitting.description}yz` });
    expect(indexLineExcess(long)).toBe(2);
    expect(toFittingIndexLine(long)).toHaveLength(149);
    expect(toFittingIndexLine(long)).toMatch(/x…$/);
    expect(toFittingIndexLine(memory(`${"p".repeat(300)}.md`))).toHaveLength(149);
  });
});

describe("the index", () => {
  it("keeps the user's lines above its marker and sorts the memories below", () => {
    const text = buildIndex(["# Mine", "", "Be kind."], [memory("b.md"), memory("a.md")]);
    expect(text).toBe(
      `# Mine\n\nBe kind.\n\n${indexMarker}\n- [a](a.md): when it matters\n- [b](b.md): when it matters\n`,
    );
    expect(splitIndex(text).own).toEqual(["# Mine", "", "Be kind."]);
    expect(buildIndex(splitIndex(text).own, [memory("a.md"), memory("b.md")])).toBe(text);
  });

  it("takes an index that nobody generated as the user's, but for lines about memories", () => {
    const text = "# Mine\n- [A](a.md) — old words\n- [Wiki](wiki.md)\n";
    expect(splitIndex(text, (path) => path === "a.md").own).toEqual(["# Mine", "- [Wiki](wiki.md)"]);
  });

  it("has at most 200 lines: the 201st is refused, and how many to merge is said", () => {
    const fits = buildIndex([], many(199));
    expect(indexSize(fits).lines).toBe(200);
    expect(checkIndexGrowth("", fits, many(199)).ok).toBe(true);
    const over = checkIndexGrowth(fits, buildIndex([], many(200)), many(200));
    expect(over).toMatchObject({
      ok: false,
      error: { code: "too-large", fix: expect.stringContaining("Remove or merge 1 memory,") },
    });
  });

  it("has at most 25,000 bytes: one more is refused, and what to shorten is named", () => {
    const base = indexSize(
      buildIndex(
        [],
        many(190, () => ({ description: "d".repeat(100) })),
      ),
    ).bytes;
    const filled = (bytes: number) =>
      many(190, (index) => ({ description: "d".repeat(100 + (index === 7 ? bytes - base : 0)) }));
    const text = (bytes: number) => joinIndex([], filled(bytes).map(toIndexLine));
    expect([indexSize(text(25_000)).bytes, indexSize(text(25_001)).bytes]).toEqual([25_000, 25_001]);
    expect(checkIndexGrowth("", text(25_000), filled(25_000)).ok).toBe(true);
    const over = checkIndexGrowth(text(25_000), text(25_001), filled(25_001));
    expect(over).toMatchObject({
      ok: false,
      error: {
        code: "too-large",
        fix: expect.stringMatching(/^Shorten descriptions by 1 byte; the longest are in m007\.md/),
      },
    });
  });

  it("lets every change pass that makes an index over its limits smaller", () => {
    const over = buildIndex([], many(300));
    expect(checkIndexGrowth(over, buildIndex([], many(299)), many(299)).ok).toBe(true);
    expect(must(checkIndexGrowth(over, over.replace("when it matters", "now"), many(300)))).toBeUndefined();
  });
});

describe("an index that is loaded", () => {
  it("stays as it is within its limits", () => {
    const text = buildIndex(["Mine"], many(10));
    expect(cutIndex(text, new Map())).toEqual({ text, leftOut: 0 });
  });

  it("keeps the user's lines, the newest and the most used, and says what it left out", () => {
    const memories = many(400);
    const worth = new Map(
      memories.map(({ path }, index) => [
        path,
        {
          at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
          uses: index < 40 ? 40 - index : 0,
        },
      ]),
    );
    const { text, leftOut } = cutIndex(buildIndex(["Mine"], memories), worth);
    const size = indexSize(text);
    expect(size.lines).toBeLessThanOrEqual(200);
    expect(size.bytes).toBeLessThanOrEqual(25_000);
    const kept = text
      .split("\n")
      .map(linkedPath)
      .filter((path) => path !== null);
    expect(leftOut).toBe(400 - kept.length);
    expect(kept).toEqual([...kept].sort());
    expect(kept).toEqual(expect.arrayContaining(memories.slice(0, 40).map(({ path }) => path)));
    expect(kept).toEqual(
      expect.arrayContaining(memories.slice(400 - kept.length + 40).map(({ path }) => path)),
    );
    expect(text.startsWith("Mine\n")).toBe(true);
    expect(text).toContain(
      `${leftOut} memories are not shown. The newest and the most used are; a search finds the others.`,
    );
  });

  it("is within 25,000 bytes too, also where the user's own lines alone are over", () => {
    const wide = many(199, () => ({ description: "ü".repeat(120) }));
    const { text, leftOut } = cutIndex(buildIndex([], wide), new Map());
    expect(indexSize(text).bytes).toBeLessThanOrEqual(25_000);
    expect(leftOut).toBeGreaterThan(0);
    const own = cutIndex(
      joinIndex(
        Array.from({ length: 500 }, (_, index) => `line ${index}`),
        [],
      ),
      new Map(),
    );
    expect(indexSize(own.text).lines).toBeLessThanOrEqual(200);
    expect(own.text).toMatch(/30\d lines above the marker are not shown/);
  });
});
