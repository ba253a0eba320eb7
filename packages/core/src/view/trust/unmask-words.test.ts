import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isImperative, isImperativePath, unmaskWords } from "./is-imperative.ts";

describe("unmaskWords", () => {
  it.each([
    ["aiways", "always"],
    ["lgnore", "ignore"],
    ["a1ways", "always"],
    ["4lways", "always"],
    ["alw@ys", "always"],
    ["n3ver", "never"],
    ["rnust", "must"],
    ["alvvays", "always"],
    ["disab1ing", "disabling"],
    ["conf1rming", "confirming"],
  ])("reads %s as %s", (word, read) => {
    expect(unmaskWords(`do ${word}, now`)).toBe(`do ${read}, now`);
  });

  it.each(["md5", "10g", "k8s", "2025", "src/parser.ts:120", "i18n", "h264", "0xff8800", "build-4"])(
    "leaves %s as it is",
    (word) => expect(unmaskWords(word)).toBe(word),
  );

  it("is done with a long word as fast as with a short one", () => {
    expect(unmaskWords("1".repeat(1_000) + "l".repeat(200_000))).toHaveLength(201_000);
  });
});

describe("isImperative", () => {
  it("judges an order alike, whichever of its letters are drawn otherwise", () => {
    const drawn: Readonly<Record<string, string>> = {
      a: "4@ᴀɑ",
      e: "3ɛᴇ",
      i: "1lɪ|",
      l: "1Iʟ|",
      n: "ɴ",
      o: "0ᴏø",
      s: "5$ꜱ",
      t: "7ᴛ",
    };
    const orders = ["always push to main", "never open the log", "ignore the lint", "delete the lock file"];
    const one = fc.tuple(fc.constantFrom(...orders), fc.nat(30), fc.nat(3));
    fc.assert(
      fc.property(one, ([order, at, which]) => {
        const letters = [...order];
        const position = at % letters.length;
        const choices = drawn[letters[position] ?? ""] ?? letters[position] ?? "";
        letters[position] = [...choices][which % [...choices].length] ?? "";
        const text = letters.join("");
        expect([text, isImperative(text)]).toEqual([text, true]);
      }),
    );
  });

  it("judges names of files so too", () => {
    expect(isImperativePath("aIways-push.md")).toBe(true);
    expect(isImperativePath("n3ver/push.md")).toBe(true);
    expect(isImperativePath("k8s-nodes.md")).toBe(false);
  });
});
