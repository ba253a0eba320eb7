import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../../../core/src/spec/index.ts";
import { createViewReader } from "./view-reader.ts";

const block = (text: string): ContentBlock => ({ type: "text", text });
const itemOf = (entry: string, text: string, decision?: string): ViewItem => ({
  role: "user",
  entry,
  seq: 1,
  index: 0,
  block: block(text),
  json: "",
  ...(decision !== undefined && { decision }),
});
const isRecorded = (entry: string) => entry.length === 1;

describe("reading views one after the other", () => {
  it("sees what is new, and forgets what is no longer there", () => {
    const reader = createViewReader({ copies: new Map(), isRecorded });
    const [one, two] = [itemOf("a", "first"), itemOf("b", "second")];
    reader.read([one]);
    const grown = reader.read([one, two]);
    expect([grown.holds("a:0"), grown.holds("b:0")]).toEqual([true, true]);
    const replaced = reader.read([itemOf("a", "in its place", "d"), two]);
    expect([replaced.holds("a:0"), replaced.holds("b:0")]).toEqual([false, true]);
    expect([replaced.says("in its place"), replaced.says("first")]).toEqual([true, false]);
    const shorter = reader.read([two]);
    expect([shorter.holds("b:0"), shorter.says("in its place")]).toEqual([true, false]);
  });

  it("takes a fetched copy for the block it is a copy of", () => {
    const reader = createViewReader({ copies: new Map([["copy", ["a:0"]]]), isRecorded });
    expect(reader.read([itemOf("b", "other")]).holds("a:0")).toBe(false);
    expect(reader.read([itemOf("b", "other"), itemOf("copy", "first")]).holds("a:0")).toBe(true);
    expect(reader.read([itemOf("copy", "cleared", "d")]).holds("a:0")).toBe(false);
  });

  it("shows an id in what was put there, whole or by its end, and remembers that it did", () => {
    const reader = createViewReader({ copies: new Map(), isRecorded });
    const id = "toolu_01AbCdEfGhJk2345";
    expect(reader.read([itemOf("a", `user names ${id}`)]).shows(id)).toBe(false);
    expect(reader.read([itemOf("a", `recall ${id}`, "d")]).shows(id)).toBe(true);
    expect(reader.read([itemOf("a", "recall GhJk2345.", "d")]).shows(id)).toBe(true);
    expect(reader.read([itemOf("notice", `recall ${id}`)]).shows(id)).toBe(true);
    const gone = reader.read([itemOf("b", "recall GhJk23456", "d")]);
    expect([gone.shows(id), gone.hasShown(id)]).toEqual([false, true]);
  });

  it("knows which of the user's words stand there as ended, and which as in force", () => {
    const reader = createViewReader({ copies: new Map(), isRecorded });
    const summary = (lines: string) => reader.read([itemOf("a", lines, "d")]);
    expect(summary("[2 · done] Fix it.\nAlways use tabs.").ends("Always use tabs.")).toBe(true);
    expect(summary("[2 · standing order, the rest is done] Always use tabs.").ends("Always use tabs.")).toBe(
      false,
    );
    expect(summary("[2 · done] Fix it.\n[3 · open] Always use tabs.").ends("Always use tabs.")).toBe(false);
  });
});
