import fc from "fast-check";

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const lastCodePoint = 0x10ffff;

/**
 * Every character but halves of pairs, as `unit: "binary"` of fast-check gives them. That one makes a table of all
 * million of them, which stays: each collection of garbage goes through it.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: lastCodePoint - surrogates })
  .map((index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates), indexOf);

function indexOf(character: unknown): number {
  const codePoint = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (codePoint === undefined || String.fromCodePoint(codePoint) !== character)
    throw new TypeError("That is not one character.");
  if (codePoint < firstSurrogate) return codePoint;
  if (codePoint < firstSurrogate + surrogates) throw new TypeError("That is half of a pair.");
  return codePoint - surrogates;
}
