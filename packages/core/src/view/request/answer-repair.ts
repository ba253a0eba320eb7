import { answerBlockFields, missingBeta } from "../../catalog/index.ts";
import type { BlockLocation, ContentBlock, RepairStep, ViewItem } from "../../spec/index.ts";
import { firstChars } from "../first-chars.ts";
import { readBackMark } from "../read-back.ts";

/** Of a block that cannot be sent back so many characters are shown; the rest is recalled. */
const shownChars = 2_000;

/** Types by which adapters carry parts of other libraries through a session; no provider sees them. */
const carriedTypes = /^(?:ai-sdk|langchain)-/;

/** What a block of an answer is judged by. */
export interface AnswerJudging {
  /** The beta headers of the request; absent: all there are. */
  readonly betas?: readonly string[];
  readonly logAddress?: string;
}

/**
 * The step that makes a block of an answer one that the API takes back: a type that it does not know, or not without a
 * beta header that the request lacks, becomes text; fields that it does not know are left out. `null` where it takes the
 * block as it is.
 */
export function answerRepair(
  { block, entry }: ViewItem,
  place: BlockLocation,
  { betas, logAddress }: AnswerJudging = {},
): RepairStep | null {
  const fields = answerBlockFields(block.type);
  if (!fields && (userBlocks.has(block.type) || carriedTypes.test(block.type))) return null;
  if (!fields || (betas && missingBeta(block.type, betas) !== undefined))
    return { repair: "to-text", place, text: unsentText(block, entry, logAddress) };
  const unknown = Object.keys(block).filter((name) => !fields.has(name));
  if (unknown.length === 0) return null;
  const why = `the API knows no field “${unknown.join("”, “")}” in ${block.type}`;
  return { repair: "replace-block", place, block: withoutFields(block, unknown), why };
}

/** Blocks of the user's side have a repair of their own where an assistant has one. */
const userBlocks: ReadonlySet<string> = new Set(["tool_result", "image", "document"]);

/** The words that stand for a block which no provider takes back, with the id that recalls it. */
export function unsentText(block: ContentBlock, entry: string, logAddress?: string): string {
  const { text, content } = block as { readonly text?: unknown; readonly content?: unknown };
  const words = [text, content].find((value) => typeof value === "string" && value.trim() !== "");
  const shown = typeof words === "string" ? words : JSON.stringify(block);
  const cut = firstChars(shown, shownChars);
  const more = cut.length < shown.length ? "…" : "";
  return `[A block of the type “${block.type}”, which cannot be sent back · ${readBackMark(entry, logAddress)}]\n${cut}${more}`;
}

export function withoutFields(block: ContentBlock, names: readonly string[]): ContentBlock {
  return Object.fromEntries(
    Object.entries(block).filter(([name]) => !names.includes(name)),
  ) as unknown as ContentBlock;
}
