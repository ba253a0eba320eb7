import { createRequire } from "node:module";

type StringWidth = typeof import("string-width");
const require = createRequire(import.meta.url);

/** Loaded for the first text that needs it: most commands show none, and its tables take longer than their work. */
let loaded: StringWidth["default"] | undefined;
function stringWidth(text: string): number {
  loaded ??= (require("string-width") as StringWidth).default;
  return loaded(text);
}

const ellipsis = "…";
/** One column each: most texts need no measuring. */
const plain = /^[\x20-\x7e…]*$/;

/** As much of the text as fits into that many columns, with an ellipsis where something is missing. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  if (plain.test(text)) return columns > 0 ? `${text.slice(0, columns - 1).trimEnd()}${ellipsis}` : "";
  let kept = "";
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return columns > 0 ? `${kept.trimEnd()}${ellipsis}` : "";
}

export function padText(text: string, columns: number, align: "left" | "right" = "left"): string {
  const padding = " ".repeat(Math.max(0, columns - textWidth(text)));
  return align === "left" ? text + padding : padding + text;
}

/** Columns a terminal needs for it. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : stringWidth(text);
}
