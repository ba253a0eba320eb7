import fc from "fast-check";
import { createStyle } from "../../packages/palimpsest/src/surfaces/terminal/style.ts";

/** Columns from one that hold nothing to those of a wide screen; narrow ones often. */
export const anyWidth = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 200 }));

const letters = fc.constantFrom(
  ..."abcdefgh.,-",
  ..."日本語한글ｱﾞ",
  ...["é", "e\u0301", "A\u030a", "Å", "\u00a0", "\u3000", "…", "豈", "नि", "ക്ഷ", "กำ", "ل\u064e"],
  ...["👩‍👩‍👧", "🇩🇪", "👍🏽", "❤️", "1️⃣", "🙂"],
);

/** Words of many scripts with single and several spaces, as they are after escaping. */
export const shownWords = fc
  .array(fc.oneof({ weight: 4, arbitrary: letters }, { weight: 1, arbitrary: fc.constantFrom(" ", "  ") }), {
    maxLength: 120,
  })
  .map((parts) => parts.join(""));

const style = createStyle(true);
const paints = [style.bold, style.red, style.cyan, (text: string) => text];

/** Text with colours, one in the other, and the same without. */
export const painted = fc
  .array(fc.tuple(shownWords, fc.constantFrom(...paints), fc.constantFrom(...paints)), { maxLength: 5 })
  .map((spans) => ({
    text: spans.map(([text, inner, outer]) => outer(`a${inner(text)}b`)).join(""),
    plain: spans.map(([text]) => `a${text}b`).join(""),
  }));
