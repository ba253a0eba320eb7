import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenizer, foldText, maxTermChars } from "./tokenizer.ts";

const { terms, measure } = createTokenizer();
const document = (text: string) => terms(text, "document");

describe("tokenizer", () => {
  it("folds case, width, ligatures and accents, leaves stop words out and stems", () => {
    expect(document("The Café’s ﬁles, ＣＡＦＥ and Straßen: don't run")).toEqual([
      "cafe",
      "file",
      "cafe",
      "strassen",
      "run",
    ]);
    expect(document("Łódź Ærø naïve ΟΔΟΣ й")).toEqual(["lodz", "aero", "naiv", "οδοσ", "и"]);
  });

  it("counts stop words into the length of a text, and other words as the terms they give", () => {
    expect(measure("The cat is on the mat.")).toEqual({ terms: ["cat", "mat"], length: 6 });
    expect(measure("openRecall")).toEqual({ terms: ["openrecall", "open", "recal"], length: 3 });
    expect(measure("")).toEqual({ terms: [], length: 0 });
  });

  it("gives the parts of identifiers and paths, and the whole", () => {
    expect(document("openRecall")).toEqual(["openrecall", "open", "recal"]);
    expect(document("HTTPServer max_output_tokens")).toEqual([
      "httpserver",
      "http",
      "server",
      "max_output_tokens",
      "max",
      "output",
      "token",
    ]);
    expect(document("src/engine/openRecall.ts")).toEqual([
      "src/engine/openrecall.ts",
      "src",
      "engin",
      "openrecall",
      "open",
      "recal",
      "ts",
    ]);
  });

  it("cuts scripts without spaces into pairs, and offers single characters in documents", () => {
    expect(document("東京都")).toEqual(["東", "京", "都", "東京", "京都"]);
    expect(terms("東京都", "query")).toEqual(["東京", "京都"]);
    expect(terms("猫", "query")).toEqual(["猫"]);
    expect(terms("Node環境", "query")).toEqual(["node", "環境"]);
    expect(terms("ｶﾞｽ", "query")).toEqual(terms("ガス", "query"));
  });

  it("cuts what is longer than a word can be", () => {
    expect(document(`${"a1".repeat(100)} b`)).toEqual(["a1".repeat(maxTermChars / 2), "b"]);
  });

  it("gives nothing for nothing", () => {
    expect([document(""), document(" \n\u0000—…!"), document("the of and")]).toEqual([[], [], []]);
  });

  it("takes any text, and a query finds every term of its own text but single characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const own = new Set(document(text));
        for (const term of terms(text, "query")) expect(own.has(term)).toBe(true);
        for (const term of own) expect(term.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it("folds what is folded to itself", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 500 },
    );
  });
});
