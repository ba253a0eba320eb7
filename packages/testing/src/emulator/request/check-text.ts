import type { Report } from "./report.ts";
import type { WireBlock } from "./wire-values.ts";

/** A text block has text, and not only white space. */
export function checkText(block: WireBlock, path: string, report: Report): void {
  const { text } = block;
  if (text === undefined) report("text", `${path}.text`, "Field required");
  else if (typeof text !== "string") report("text", `${path}.text`, "Input should be a valid string");
  else if (text === "") report("text-empty", path, "text content blocks must be non-empty");
  else if (text.trim() === "")
    report("text-empty", path, "text content blocks must contain non-whitespace text");
}
