import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toVisible, toVisibleLine } from "./text-parts.ts";

describe("toVisible", () => {
  it("shows escape codes, bells and returns as pictures", () => {
    expect(toVisible("\u001b[31mred\u0007\u007f\rover")).toBe("␛[31mred␇␡␍over");
  });

  it("names characters that turn text around or hide in it", () => {
    expect(toVisible("a\u202etxt.exe\u2066\u200b\ufeff\u{e0041}")).toBe(
      "a⟨U+202E⟩txt.exe⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩⟨U+E0041⟩",
    );
  });

  it("leaves words, line breaks, tabs and joined emoji as they are", () => {
    const text = "Grüße, 世界\n\t👩‍💻 <b>bold</b>";
    expect(toVisible(text)).toBe(text);
    expect(toVisible("one\r\ntwo")).toBe("one\ntwo");
  });

  it("never leaves a control or bidirectional character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(toVisible(text)).not.toMatch(/(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("toVisibleLine", () => {
  it("has one line", () => {
    expect(toVisibleLine("  one\n\ttwo \u001b ")).toBe("one two ␛");
  });
});
