import { describe, expect, it } from "vitest";
import { maskForeign, plainWords } from "./own-words.ts";
import { maskPasted } from "./pasted-text.ts";

describe("plainWords", () => {
  it("leaves out code, quotes and tagged parts", () => {
    const text = "Don’t `rm` it:\n```sh\nrm a\n\nrm b\n```\n> quoted\n“said” 'so' <b>tag</b> It's \"all\".";
    expect(plainWords(text).replaceAll(/\s+/g, " ")).toBe("don't … it: … … … it's … .");
  });

  it("reads beginning and end of what is long", () => {
    const words = plainWords(`first ${"x".repeat(100_000)} last`);
    expect([words.slice(0, 5), words.slice(-4), words.length]).toEqual(["first", "last", 20_001]);
  });

  it.each(["<a ", "<a-", "```\n", "`", '"', "'", "> ", "<a>", "\n", "</a>"])(
    "gets through any number of “%s”",
    (part) => {
      expect(plainWords(part.repeat(20_000)).length).toBeLessThanOrEqual(40_001);
    },
  );
});

describe("long texts that are never closed", () => {
  it.each(["「", "“", "«", "『", "`", '"', "'", " '", "> ", "~", "<a ", "<a>", "```\n"])(
    "are read in one go: %j",
    (opening) => {
      const text = opening.repeat(200_000);
      expect(maskForeign(text).length).toBe(text.length);
      expect(maskPasted(text).length).toBe(text.length);
      expect(typeof plainWords(text)).toBe("string");
    },
  );
});
