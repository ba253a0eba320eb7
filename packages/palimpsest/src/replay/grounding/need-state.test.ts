import { describe, expect, it } from "vitest";
import type { ContentBlock, ViewItem } from "../../../../core/src/spec/index.ts";
import { createViewReader } from "./need-state.ts";

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
const never = () => false;

describe("reading views one after the other", () => {
  it("sees what is new, and forgets what is no longer there", () => {
    const reader = createViewReader(new Map());
    const [one, two] = [itemOf("a", "first"), itemOf("b", "second")];
    reader.read([one], never);
    const grown = reader.read([one, two], never);
    expect([grown.holds("a:0"), grown.holds("b:0")]).toEqual([true, true]);
    const replaced = reader.read([itemOf("a", "in its place", "d"), two], never);
    expect([replaced.holds("a:0"), replaced.holds("b:0")]).toEqual([false, true]);
    expect([replaced.says("in its place"), replaced.says("first")]).toEqual([true, false]);
    const shorter = reader.read([two], never);
    expect([shorter.holds("b:0"), shorter.says("in its place")]).toEqual([true, false]);
  });

  it("takes a fetched copy for the block it is a copy of", () => {
    const aliases = new Map([["copy", "a:0"]]);
    const reader = createViewReader(aliases);
    expect(reader.read([itemOf("b", "other")], never).holds("a:0")).toBe(false);
    expect(reader.read([itemOf("b", "other"), itemOf("copy", "first")], never).holds("a:0")).toBe(true);
    expect(reader.read([itemOf("copy", "cleared", "d")], never).holds("a:0")).toBe(false);
  });
});
