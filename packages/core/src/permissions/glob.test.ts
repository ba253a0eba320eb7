import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { escapeGlob, matchGlob, parseGlob } from "./glob.ts";

function matches(pattern: string, path: string): boolean {
  return parseGlob(pattern)?.some((glob) => matchGlob(glob, path)) ?? false;
}

describe("globs", () => {
  it.each([
    ["src/**", "src/a/b.ts", true],
    ["src/**", "src", true],
    ["src/**", "srcs/a", false],
    ["src/*", "src/a", true],
    ["src/*", "src/a/b", false],
    ["*", ".env", true],
    ["**/.env", "a/b/.env", true],
    ["**/.env", ".env", true],
    ["a?c", "a😀c", true],
    ["a?c", "a/c", false],
    ["{a,b/{c,d}}/x", "b/d/x", true],
    ["{a,b/{c,d}}/x", "b/x", false],
    ["app/(shop)/[id]", "app/(shop)/[id]", true],
    ["app/[id]", "app/i", false],
    ["!a", "b", false],
    ["+(a)", "a", false],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["\\{a,b\\}", "{a,b}", true],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it("agree with picomatch on what both know", () => {
    const name = fc.stringMatching(/^[ab*?]{1,4}$/).filter((text) => !text.includes("**"));
    const folders = fc.array(fc.oneof(name, fc.constant("**")), { maxLength: 4 });
    const pattern = fc.tuple(folders, name).map(([front, last]) => [...front, last]);
    const path = fc.array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(pattern, path, (names, parts) => {
        const [glob, text] = [names.join("/"), parts.join("/")];
        expect(matches(glob, text), `${glob} on ${text}`).toBe(picomatch(glob, { dot: true })(text));
      }),
      { numRuns: 2000 },
    );
  });

  it("match an escaped path and no other", () => {
    const path = fc.array(
      fc.string({ minLength: 1, unit: "binary" }).filter((text) => !/\/|\0/.test(text)),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(path, path, (one, other) => {
        const pattern = escapeGlob(one.join("/"));
        expect(matches(pattern, one.join("/"))).toBe(true);
        expect(matches(pattern, other.join("/"))).toBe(one.join("/") === other.join("/"));
      }),
    );
  });

  it("take no time over patterns that are made to take long", () => {
    expect(matches(`${"*a".repeat(200)}b`, "a".repeat(5000))).toBe(false);
    expect(matches(`${"**/a/".repeat(100)}b`, "a/".repeat(1000))).toBe(false);
  });
});
