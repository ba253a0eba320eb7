import type { BlockPlace, ImageLimits, RepairStep, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { isNativeBlock, isSignedBlock, nativeBetas } from "../compaction/native-block.ts";
import { repairedItems } from "../projection/repaired-items.ts";
import { resultMedia, resultText } from "../projection/result-content.ts";
import { blockRepair } from "./block-repair.ts";
import { imageCountSteps } from "./image-repair.ts";
import { createLookedItems, type NewItems } from "./looked-items.ts";
import { callsOf, inOrder, type Round, toRounds } from "./rounds.ts";
import { hasMisplacedThinking, isThinkingBlock } from "./thinking-place.ts";

/** What a result says that stands for one which never came. */
export const missingResultText =
  "This call was interrupted: it has no result. It may or may not have had an effect.";
/** What stands first where the beginning of a conversation is gone. */
export const missingBeginningText =
  "[The beginning of this conversation is not part of the context any more.]";

/** While steps are worked out, what they insert belongs to no decision yet. */
const undecided = { entry: "", seq: Number.MAX_SAFE_INTEGER };

/** What repair has to know of the API. */
export interface RepairLimits {
  readonly images: ImageLimits;
  /** Which compaction blocks of the API the model takes, by their headers; absent: all. */
  readonly compactionBetas?: readonly string[];
}

/** Finds what a view needs to be a valid conversation, at the cost of what is new. */
export interface Repairer {
  /**
   * The steps that make the items a valid conversation; none when they are one. Idempotent: once the steps are
   * applied there is nothing left to repair. Items before `from` are known to be valid and stand in a valid place; of
   * those behind it only what changed since the call before is looked at.
   */
  steps(items: readonly ViewItem[], from: number): readonly RepairStep[];
  /** Blocks looked at by themselves since the beginning, for tests that count them. */
  readonly lookedBlocks: number;
}

export function createRepairer({ images, compactionBetas }: RepairLimits): Repairer {
  const looked = createLookedItems();
  let lookedBlocks = 0;

  /** What is wrong with the block at a position, whatever stands beside it. */
  function blockStep(items: readonly ViewItem[], position: number): RepairStep | null {
    const item = items[position] as ViewItem;
    lookedBlocks += 1;
    return blockRepair(item, placeOf(item), images, (id) => looked.isCalledBefore(id, position));
  }

  function blockSteps(items: readonly ViewItem[], { from, replaced }: NewItems): readonly RepairStep[] {
    const steps = replaced.map((position) => blockStep(items, position));
    for (let position = from; position < items.length; position += 1) steps.push(blockStep(items, position));
    return steps.filter((step) => step !== null);
  }

  return {
    get lookedBlocks() {
      return lookedBlocks;
    },
    steps(items, validUpTo) {
      const changed = looked.look(items, validUpTo);
      const { from } = changed;
      const maxImages = Math.min(images.maxCount, images.many?.count ?? Number.POSITIVE_INFINITY);
      const steps: RepairStep[] = [];
      const after = () => repairedItems(items, { steps }, undecided);
      steps.push(...blockSteps(items, changed));
      steps.push(...compactionSteps(after(), from, compactionBetas));
      if (looked.imageCount > maxImages) steps.push(...imageCountSteps(after(), images));
      steps.push(...lateSteps(after(), from));
      steps.push(...orderSteps(after(), from));
      steps.push(...pairSteps(after(), from));
      steps.push(...thinkingSteps(after(), from), ...trailingSteps(after()));
      const first = after()[0];
      if (first?.role === "assistant" && first.block.type !== "compaction")
        steps.push({ repair: "begin-with-user", text: missingBeginningText });
      steps.push(...orderSteps(after(), from));
      if (steps.length > 0) looked.forget();
      return steps;
    },
  };
}

/** The steps for a view that is looked at for the first time. */
export function repairSteps(
  items: readonly ViewItem[],
  from: number,
  limits: RepairLimits,
): readonly RepairStep[] {
  return createRepairer(limits).steps(items, from);
}

const placeOf = ({ entry, index }: ViewItem): BlockPlace => ({ entry, block: index });

/** From the message that the first new block may belong to or answer. */
function openRounds(items: readonly ViewItem[], from: number): readonly Round[] {
  let start = from;
  while (start > 0 && items[start - 1]?.role === "user") start -= 1;
  while (start > 0 && items[start - 1]?.role === "assistant") start -= 1;
  return toRounds(items.slice(start));
}

/**
 * The API takes a block that it made on demand at the very beginning only, and some models take none: in its place its
 * words are sent.
 */
function compactionSteps(
  items: readonly ViewItem[],
  from: number,
  betas: readonly string[] | undefined,
): readonly RepairStep[] {
  const isTaken = (item: ViewItem) => nativeBetas([item]).every((beta) => betas?.includes(beta) ?? true);
  const isMisplaced = ({ block }: ViewItem, at: number) => at > 0 && at >= from && isSignedBlock(block);
  return items
    .filter((item, at) => item.block.type === "compaction" && (isMisplaced(item, at) || !isTaken(item)))
    .map((item) => ({ repair: "to-text", place: placeOf(item), text: compactedText(item) }));
}

function compactedText({ block }: ViewItem): string {
  return isNativeBlock(block) ? `[Summary of what came before]\n${block.content}` : "[A summary that failed]";
}

/** A result that comes when its call has one already, and was perhaps sent with it, stays behind as text. */
function lateSteps(items: readonly ViewItem[], from: number): readonly RepairStep[] {
  return openRounds(items, from).flatMap(({ user }) => {
    const answered = new Set<string>();
    return user.flatMap((item): readonly RepairStep[] => {
      if (!isBlock(item.block, "tool_result")) return [];
      const isLate = answered.has(item.block.tool_use_id);
      answered.add(item.block.tool_use_id);
      return isLate ? [{ repair: "to-text", place: placeOf(item), text: resultAsText(item) }] : [];
    });
  });
}

/** Calls without result, results without call. */
function pairSteps(items: readonly ViewItem[], from: number): readonly RepairStep[] {
  return openRounds(items, from).flatMap((round) => {
    const open = new Set(callsOf(round));
    const steps: RepairStep[] = [];
    for (const item of round.user) {
      if (!isBlock(item.block, "tool_result") || open.delete(item.block.tool_use_id)) continue;
      steps.push({ repair: "to-text", place: placeOf(item), text: resultAsText(item) });
    }
    for (const toolUseId of open)
      steps.push({ repair: "synthetic-result", toolUseId, text: missingResultText });
    return steps;
  });
}

function resultAsText({ block }: ViewItem): string {
  if (!isBlock(block, "tool_result")) return "";
  const media = resultMedia(block).map(({ type }) => `[${type}]`);
  const content = [resultText(block), ...media].join("\n");
  return `[Result of the call ${block.tool_use_id}, which is not part of the message before]\n${content}`;
}

/** A message that has thinking begins with it; two responses that have become neighbours may not. */
function thinkingSteps(items: readonly ViewItem[], from: number): readonly RepairStep[] {
  return openRounds(items, from).flatMap(({ assistant }) => {
    if (!hasMisplacedThinking(assistant.map(({ block }) => block))) return [];
    const why = "the thinking stands behind other content";
    return assistant
      .filter(({ block }) => isThinkingBlock(block))
      .map((item) => ({ repair: "drop-block", place: placeOf(item), why }) as const);
  });
}

/** The newest message of the assistant cannot end with thinking. */
function trailingSteps(items: readonly ViewItem[]): readonly RepairStep[] {
  const steps: RepairStep[] = [];
  let at = items.findLastIndex(({ role }) => role === "assistant");
  for (let item = items[at]; item?.role === "assistant" && isThinkingBlock(item.block); item = items[at]) {
    steps.unshift({ repair: "drop-block", place: placeOf(item), why: "nothing follows the thinking" });
    at -= 1;
  }
  return steps;
}

function orderSteps(items: readonly ViewItem[], from: number): readonly RepairStep[] {
  const wanted = openRounds(items, from).flatMap(inOrder);
  const start = items.length - wanted.length;
  const moved = wanted.filter((item, index) => item !== items[start + index]);
  return moved.length === 0 ? [] : [{ repair: "order", places: moved.map(placeOf) }];
}
