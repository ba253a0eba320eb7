import { expect, it } from "vitest";
import { mergeMemories } from "./merge-memories.ts";

const text = (name: string, author: string, body: string) =>
  `---\nname: ${name}\ndescription: d\ntype: reference\nauthor: ${author}\ntrust: trusted\n---\n\n${body}\n`;

it("merges name and lines, whoever wrote them, and keeps the provenance of mine", () => {
  const base = text("N", "agent", "1\n2\n3");
  const mine = text("N", "user", "1\n2\nthree").replaceAll("\n", "\r\n");
  const theirs = text("M", "dream", "one\n2\n3");
  expect(mergeMemories("a.md", base, mine, theirs)).toBe(text("M", "user", "one\n2\nthree"));
});

it("gives up where both changed the same, or one is gone", () => {
  const base = text("N", "agent", "1");
  expect(mergeMemories("a.md", base, text("A", "user", "1"), text("B", "user", "1"))).toBeUndefined();
  expect(mergeMemories("a.md", base, text("N", "user", "2"), text("N", "user", "3"))).toBeUndefined();
  expect(mergeMemories("a.md", base, text("N", "user", "2"), null)).toBeUndefined();
  expect(mergeMemories("a.md", base, base, null)).toBeNull();
  expect(mergeMemories("a.md", "1\n2\n3\n", "one\n2\n3\n", "1\n2\n")).toBe("one\n2\n");
});
