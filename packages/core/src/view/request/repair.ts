import { missingBeta } from "../../catalog/index.ts";
import { type BlockLocation, isBlock, type RepairStep, type ViewItem } from "../../spec/index.ts";
import { resultMedia, resultText } from "../projection/message-items.ts";
import { repairedItems } from "../projection/repaired-items.ts";
import { blockRepair, unsentText } from "./answer-repair.ts";
import { createCheckedItems, type NewItems } from "./checked-items.ts";
import { imageCountSteps, mayExceed, type RepairedImages } from "./image-repair.ts";
import { compactionPositions, isNativeBlock, isSignedBlock, nativeBetas } from "./native-block.ts";
import { callPartners, callsOf, inOrder, type Round, toRounds } from "./request-ids.ts";
import { hasMisplacedThinking, isThinkingBlock } from "./violation.ts";

/** The text of a result that never came. */
export const missingResultText =
  "This call was interrupted: it has no result. It may or may not have had an effect.";
/** The first message where the beginning of a conversation is gone. */
export const missingBeginningText =
  "[The beginning of this conversation is not part of the context any more.]";

/** While steps are worked out, what they insert belongs to no decision yet. */
const undecided = { entry: "", seq: Number.MAX_SAFE_INTEGER };

/** The API's limits for repair. */
export interface RepairLimits {
  readonly images: RepairedImages;
  /** Which compaction blocks of the API the model takes, by their headers; absent: all. */
  readonly compactionBetas?: readonly string[];
  /** Blocks and fields of answers that nobody knows are sent back as they came. */
  readonly keepsUnknown?: boolean;
}

/** Finds what a view needs to be a valid conversation, at the cost of what is new. */
export interface Repairer {
  /**
   * The steps that make the items a valid conversation; none when they are one. Idempotent: once the steps are
   * applied there is nothing left to repair. Items before `from` are known to be valid and stand in a valid place; of
   * those behind it only what changed since the call before is looked at. Blocks that need another beta header than the
   * request has are not sent; absent: it has all there are.
   */
  steps(items: readonly ViewItem[], from: number, betas?: readonly string[]): readonly RepairStep[];
  /** Blocks looked at by themselves since the beginning, for tests that count them. */
  readonly lookedBlocks: number;
}

export function createRepairer({ images, compactionBetas, keepsUnknown = false }: RepairLimits): Repairer {
  const looked = createCheckedItems();
  let lookedBlocks = 0;

  /** The repair of the block at a position, whatever stands beside it. */
  function blockStep(items: readonly ViewItem[], position: number, betas?: readonly string[]) {
    const item = items[position] as ViewItem;
    lookedBlocks += 1;
    const isKnownCall = (id: string) => looked.isCalledBefore(id, position);
    return blockRepair(item, blockLocation(item), {
      images,
      isKnownCall,
      keepsUnknown,
      ...(betas && { betas }),
    });
  }

  function blockSteps(
    items: readonly ViewItem[],
    { from, replaced }: NewItems,
    betas?: readonly string[],
  ): readonly RepairStep[] {
    const steps = replaced.map((position) => blockStep(items, position, betas));
    for (let position = from; position < items.length; position += 1)
      steps.push(blockStep(items, position, betas));
    return steps.filter((step) => step !== null);
  }

  /** Where one half of a server's call needs a beta that is not there, the other half goes with it. */
  function partnerSteps(
    items: readonly ViewItem[],
    { from, replaced }: NewItems,
    betas: readonly string[],
  ): readonly RepairStep[] {
    const needsMore = ({ role, block }: ViewItem) =>
      role === "assistant" && missingBeta(block.type, betas) !== undefined;
    const gone = [...replaced.map((at) => items[at] as ViewItem), ...items.slice(from)].filter(needsMore);
    if (gone.length === 0) return [];
    return [...callPartners(items, gone).values()].flatMap((item): readonly RepairStep[] => {
      const { role, block, entry } = item;
      if (role !== "assistant" || isBlock(block, "tool_use") || needsMore(item)) return [];
      return [
        { repair: "to-text", place: blockLocation(item), text: unsentText(block, entry, images.logAddress) },
      ];
    });
  }

  return {
    get lookedBlocks() {
      return lookedBlocks;
    },
    steps(items, validUpTo, betas) {
      const changed = looked.look(items, validUpTo);
      const { from } = changed;
      const steps: RepairStep[] = [];
      const after = () => repairedItems(items, { steps }, undecided);
      const rounds = createOpenRounds(from);
      steps.push(...blockSteps(items, changed, betas));
      if (betas && !keepsUnknown) steps.push(...partnerSteps(items, changed, betas));
      steps.push(...compactionSteps(after(), from, compactionBetas));
      if (mayExceed(looked.media, images)) steps.push(...imageCountSteps(after(), images));
      steps.push(...lateSteps(rounds(after())));
      steps.push(...orderSteps(after(), rounds));
      steps.push(...pairSteps(rounds(after())));
      steps.push(...thinkingSteps(rounds(after())), ...trailingSteps(after()));
      const first = after()[0];
      if (first?.role === "assistant" && first.block.type !== "compaction")
        steps.push({ repair: "begin-with-user", text: missingBeginningText });
      if (steps.length > 0) steps.push(...orderSteps(after(), rounds));
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

const blockLocation = ({ entry, index }: ViewItem): BlockLocation => ({ entry, block: index });

type OpenRounds = (items: readonly ViewItem[]) => readonly Round[];

/** The rounds from the message on that the first new block may belong to or answer; the same for the same list. */
function createOpenRounds(from: number): OpenRounds {
  let known: { readonly items: readonly ViewItem[]; readonly rounds: readonly Round[] } | null = null;
  return (items) => {
    if (known?.items === items) return known.rounds;
    let start = from;
    while (start > 0 && items[start - 1]?.role === "user") start -= 1;
    while (start > 0 && items[start - 1]?.role === "assistant") start -= 1;
    known = { items, rounds: toRounds(items.slice(start)) };
    return known.rounds;
  };
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
  return compactionPositions(items).flatMap((at) => {
    const item = items[at] as ViewItem;
    if (!isMisplaced(item, at) && isTaken(item)) return [];
    return [{ repair: "to-text", place: blockLocation(item), text: compactedText(item) } as const];
  });
}

function compactedText({ block }: ViewItem): string {
  return isNativeBlock(block) ? `[Summary of what came before]\n${block.content}` : "[A summary that failed]";
}

/** A result that comes when its call has one already, and was perhaps sent with it, stays behind as text. */
function lateSteps(rounds: readonly Round[]): readonly RepairStep[] {
  return rounds.flatMap(({ user }) => {
    const answered = new Set<string>();
    return user.flatMap((item): readonly RepairStep[] => {
      if (!isBlock(item.block, "tool_result")) return [];
      const isLate = answered.has(item.block.tool_use_id);
      answered.add(item.block.tool_use_id);
      return isLate ? [{ repair: "to-text", place: blockLocation(item), text: resultAsText(item) }] : [];
    });
  });
}

/** Calls without result, results without call. */
function pairSteps(rounds: readonly Round[]): readonly RepairStep[] {
  return rounds.flatMap((round) => {
    const open = new Set(callsOf(round));
    const steps: RepairStep[] = [];
    for (const item of round.user) {
      if (!isBlock(item.block, "tool_result") || open.delete(item.block.tool_use_id)) continue;
      steps.push({ repair: "to-text", place: blockLocation(item), text: resultAsText(item) });
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
function thinkingSteps(rounds: readonly Round[]): readonly RepairStep[] {
  return rounds.flatMap(({ assistant }) => {
    if (!hasMisplacedThinking(assistant.map(({ block }) => block))) return [];
    const why = "the thinking stands behind other content";
    return assistant
      .filter(({ block }) => isThinkingBlock(block))
      .map((item) => ({ repair: "drop-block", place: blockLocation(item), why }) as const);
  });
}

/** The newest message of the assistant cannot end with thinking. */
function trailingSteps(items: readonly ViewItem[]): readonly RepairStep[] {
  const steps: RepairStep[] = [];
  let at = items.findLastIndex(({ role }) => role === "assistant");
  for (let item = items[at]; item?.role === "assistant" && isThinkingBlock(item.block); item = items[at]) {
    steps.unshift({ repair: "drop-block", place: blockLocation(item), why: "nothing follows the thinking" });
    at -= 1;
  }
  return steps;
}

function orderSteps(items: readonly ViewItem[], roundsOf: OpenRounds): readonly RepairStep[] {
  const wanted = roundsOf(items).flatMap(inOrder);
  const start = items.length - wanted.length;
  const moved = wanted.filter((item, index) => item !== items[start + index]);
  return moved.length === 0 ? [] : [{ repair: "order", places: moved.map(blockLocation) }];
}
