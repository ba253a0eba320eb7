import { answerBlockFields, missingBeta } from "../../catalog/index.ts";
import { isRecord } from "../../json/json-values.ts";
import {
  type BlockLocation,
  type ContentBlock,
  isBlock,
  type RepairStep,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { firstChars } from "../quote-foreign.ts";
import { readBackMark } from "../read-back.ts";
import { type RepairedImages, withoutFaultyImages } from "./image-repair.ts";

/** Of a block that cannot be sent back so many characters are shown; the rest is recalled. */
const shownChars = 2_000;

/** Types by which adapters carry parts of other libraries through a session; no provider sees them. */
const carriedTypes = /^(?:ai-sdk|langchain)-/;

/** The input for judging a block of an answer. */
interface AnswerJudging {
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
  location: BlockLocation,
  { betas, logAddress }: AnswerJudging = {},
): RepairStep | null {
  const fields = answerBlockFields(block.type);
  if (!fields && (userBlocks.has(block.type) || carriedTypes.test(block.type))) return null;
  if (!fields || (betas && missingBeta(block.type, betas) !== undefined))
    return { repair: "to-text", place: location, text: unsentText(block, entry, logAddress) };
  const unknown = Object.keys(block).filter((name) => !fields.has(name));
  if (unknown.length === 0) return null;
  const why = `the API knows no field “${unknown.join("”, “")}” in ${block.type}`;
  return { repair: "replace-block", place: location, block: withoutFields(block, unknown), why };
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

function withoutFields(block: ContentBlock, names: readonly string[]): ContentBlock {
  return Object.fromEntries(
    Object.entries(block).filter(([name]) => !names.includes(name)),
  ) as unknown as ContentBlock;
}

export const legalToolName = /^[a-zA-Z0-9_-]{1,128}$/;

/** The context for judging a block. */
interface BlockJudging {
  readonly images: RepairedImages;
  readonly isKnownCall: (id: string) => boolean;
  /** Blocks and fields of answers that nobody knows are sent back as they came. */
  readonly keepsUnknown: boolean;
  /** The beta headers of the request; absent: all there are. */
  readonly betas?: readonly string[];
}

/** The step that makes one block legal, whatever stands beside it; `null` when it is. */
export function blockRepair(
  item: ViewItem,
  location: BlockLocation,
  judging: BlockJudging,
): RepairStep | null {
  const { keepsUnknown, betas, images } = judging;
  const { logAddress } = images;
  const isAnswer = item.role === "assistant" && !keepsUnknown;
  return (
    ownRepair(item, location, judging) ??
    (isAnswer ? answerRepair(item, location, { betas, logAddress }) : null)
  );
}

function ownRepair(
  { block, role, entry }: ViewItem,
  location: BlockLocation,
  { images, isKnownCall }: BlockJudging,
): RepairStep | null {
  const drop = (why: string): RepairStep => ({ repair: "drop-block", place: location, why });
  const toText = (text: string): RepairStep => ({ repair: "to-text", place: location, text });
  if (isBlock(block, "text")) return block.text.trim() === "" ? drop("the text is empty") : null;
  if (isBlock(block, "thinking")) {
    if (role === "user") return drop("only the assistant thinks");
    return block.signature ? null : drop("the thinking has no signature");
  }
  if (isBlock(block, "redacted_thinking")) {
    if (role === "user") return drop("only the assistant thinks");
    return block.data === "" ? drop("the thinking has no data") : null;
  }
  if (isBlock(block, "tool_use")) {
    if (role === "assistant" && isLegalCall(block) && !isKnownCall(block.id)) return null;
    return toText(`[Call ${block.id} of ${block.name}]\n${JSON.stringify(block.input ?? {})}`);
  }
  if (isBlock(block, "tool_result")) {
    if (role === "assistant") return toText(`[Result of the call ${block.tool_use_id}]`);
    const mended = withoutFaultyImages(withLegalContent(block), images, { block, entry });
    return mended === block
      ? null
      : { repair: "replace-block", place: location, block: mended, why: "its content is not legal" };
  }
  if (isBlock(block, "image") || isBlock(block, "document")) {
    if (role === "assistant") return toText(`[${block.type}]`);
    const mended = withoutFaultyImages(block, images, { block, entry });
    return mended === block
      ? null
      : { repair: "replace-block", place: location, block: mended, why: "it is larger than the API takes" };
  }
  return null;
}

/** Blocks that stand in messages only, never inside a result. */
const notInResults = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking"]);

/** Whether a block may stand inside a result. */
export function isLegalInResult(block: ContentBlock): boolean {
  return isBlock(block, "text") ? block.text.trim() !== "" : !notInResults.has(block.type);
}

function withLegalContent(block: ToolResultBlock): ToolResultBlock {
  if (block.content === undefined || typeof block.content === "string") return block;
  if (block.content.every(isLegalInResult)) return block;
  const content = block.content.flatMap((inner): readonly ContentBlock[] => {
    if (isLegalInResult(inner)) return [inner];
    return isBlock(inner, "text") ? [] : [{ type: "text", text: JSON.stringify(inner) }];
  });
  return { ...block, content };
}

/** Whether a call could be sent, wherever it stands; its id is mapped then. */
export function isLegalCall({ name, input }: ToolUseBlock): boolean {
  return legalToolName.test(name) && isRecord(input);
}

/** How many tokens fewer the items have once the steps are applied; negative where the steps add more than they take. */
export function freedByRepair(
  items: readonly ViewItem[],
  steps: readonly RepairStep[],
  tokensOf: (block: ContentBlock) => number,
): number {
  if (steps.length === 0) return 0;
  const blocks = new Map(items.map(({ entry, index, block }) => [keyOf(entry, index), block]));
  let freed = 0;
  const change = (location: { readonly entry: string; readonly block: number }, after?: ContentBlock) => {
    const key = keyOf(location.entry, location.block);
    const before = blocks.get(key);
    if (before === undefined) return;
    freed += tokensOf(before) - (after === undefined ? 0 : tokensOf(after));
    if (after === undefined) blocks.delete(key);
    else blocks.set(key, after);
  };
  for (const step of steps) {
    if (step.repair === "drop-block") change(step.place);
    else if (step.repair === "replace-block") change(step.place, step.block);
    else if (step.repair === "to-text") change(step.place, { type: "text", text: step.text });
    else if (step.repair !== "order") freed -= tokensOf({ type: "text", text: step.text });
  }
  return freed;
}

const keyOf = (entry: string, block: number) => `${block} ${entry}`;
