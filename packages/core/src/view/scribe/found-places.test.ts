import { describe, expect, it } from "vitest";
import { foundPlaces } from "./path-names.ts";

describe("foundPlaces", () => {
  it("names the lines of each file that matched, and not those around them", () => {
    const text = "src/a.ts:12:load()\nsrc/a.ts-13-}\nsrc/b.ts:7:load\nsrc/a.ts:40:load";
    expect(foundPlaces(text, 400)).toBe("src/a.ts:12,40 src/b.ts:7");
  });

  it("names lines alone where one file was searched", () => {
    expect(foundPlaces("3:one\n4-between\n120:two", 400)).toBe("3,120");
  });

  it("has nothing to say of other results", () => {
    expect(foundPlaces("Found 2 files\nsrc/a.ts\nsrc/b.ts", 400)).toBe("");
    expect(foundPlaces("", 400)).toBe("");
  });

  it("stays within its length, with whole files only", () => {
    const text = Array.from({ length: 50 }, (_, at) => `src/file${at}.ts:${at}:x`).join("\n");
    const places = foundPlaces(text, 60);
    expect(places).toBe("src/file0.ts:0 src/file1.ts:1 src/file2.ts:2 src/file3.ts:3");
  });
});
