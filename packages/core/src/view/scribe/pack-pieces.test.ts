import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PackInput, type Piece, packPieces, stepsFor } from "./piece.ts";

const piece = (...levels: readonly string[]): Piece => ({ levels });
const byLength = (text: string) => text.length;

function pack(pieces: readonly Piece[], more: Partial<PackInput> = {}): string {
  return packPieces({
    headings: ["top", "t"],
    sections: [{ title: "# s", pieces }],
    steps: [...stepsFor(pieces, 0), ...stepsFor(pieces, "last")],
    budgetTokens: 100,
    estimate: byLength,
    ...more,
  });
}

describe("packPieces", () => {
  it("shows pieces in their order, whole where there is room", () => {
    expect(pack([piece("a", "a whole"), piece("b")])).toBe("top\n\n# s\na whole\nb");
  });

  it("serves the steps that come first, and each piece in a form that fits", () => {
    const [long, short] = [piece("l", "long ".repeat(5)), piece("s", "short")];
    const steps = [...stepsFor([long, short], 0), ...stepsFor([short, long], "last")];
    expect(pack([long, short], { steps, budgetTokens: 20, headings: ["t"] })).toBe("t\n\n# s\nl\nshort");
  });

  it("keeps shares until all steps had their turn, then hands out the rest", () => {
    const [a, b, c] = [piece("aaaa"), piece("bbbb"), piece("cccc")];
    const share = { name: "x", part: 0.2 };
    const steps = [...stepsFor([a, b], 0, share), ...stepsFor([c], 0)];
    const input = { headings: ["t"], steps, budgetTokens: 60 };
    expect(pack([a, b, c], { ...input, keepsShares: true })).toBe("t\n\n# s\naaaa\ncccc");
    expect(pack([a, b, c], input)).toBe("t\n\n# s\naaaa\nbbbb\ncccc");
  });

  it("says a label once before its pieces", () => {
    const pieces = ["a", "b"].map((text) => ({ levels: [text], label: "both:" }));
    expect(pack(pieces)).toBe("top\n\n# s\nboth:\na\nb");
  });

  it("says of an empty section that it is, where asked to", () => {
    expect(pack([], { nothing: "None." })).toBe("top\n\n# s\nNone.");
    expect(pack([], { nothing: "" })).toBe("top\n\n# s");
    expect(pack([])).toBe("top");
  });

  it("takes a shorter heading before it is crowded out, and nothing where none fits", () => {
    expect(pack([piece("a")], { budgetTokens: 11 })).toBe("t\n\n# s\na");
    expect(pack([piece("a")], { budgetTokens: 0 })).toBe("");
  });

  it("stays within the budget and every section's limit, by an estimate that does not add up", () => {
    const texts = fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(texts, { maxLength: 20 }),
        fc.nat(400),
        fc.nat(200),
        (all, budgetTokens, maxSectionTokens) => {
          const estimate = (text: string) => Math.ceil(text.length ** 1.2);
          const pieces = all.map((levels) => piece(...levels));
          const half = Math.floor(pieces.length / 2);
          const sections = [
            { title: "# one", pieces: pieces.slice(0, half) },
            { title: "# two", pieces: pieces.slice(half) },
          ];
          const text = pack(pieces, { sections, budgetTokens, maxSectionTokens, estimate });
          if (text === "") return;
          expect(estimate(text)).toBeLessThanOrEqual(budgetTokens);
          for (const section of text.split(/\n\n(?=# (?:one|two)\n)/).slice(1))
            expect(estimate(section)).toBeLessThanOrEqual(maxSectionTokens);
        },
      ),
    );
  });
});
