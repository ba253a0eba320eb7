import { describe, expect, it } from "vitest";
import { isShortId, shortId } from "./quote-foreign.ts";

describe("shortId", () => {
  it.each([
    ["toolu_01GVqdPCSbY67cTCmq12ab", "TCmq12ab"],
    ["ent_01K9ZXABCDEFGHJKMNPQRSTV42", "QRSTV42".padStart(8, "P")],
    ["0b2f6c1e-9d3a-4f7b-8a55-3c9e1d7b2a40", "1d7b2a40"],
    ["toolu_01DXRvQfCh5BSfoBCqbDieUp", "CqbDieUp"],
    ["call_12345678onlyletters", "call_12345678onlyletters"],
    ["toolu_1", "toolu_1"],
    ["dec_compact_12", "dec_compact_12"],
    ["an_id_of_letters_onlyletters", "an_id_of_letters_onlyletters"],
    ["", ""],
  ])("of “%s” is “%s”", (id, expected) => {
    expect(shortId(id)).toBe(expected);
  });

  it("is known as one", () => {
    expect(isShortId(shortId("toolu_01GVqdPCSbY67cTCmq12ab"))).toBe(true);
    expect(isShortId("toolu_12")).toBe(false);
    expect(isShortId("abcdefghi")).toBe(false);
  });
});
