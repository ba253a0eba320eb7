import {
  type ContentBlock,
  type Facts,
  isBlock,
  type Moment,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { findUnseen } from "../../../view/newest-answer.ts";
import { isMedia, resultMedia, resultText } from "../../../view/projection/message-items.ts";
import { sendsUntilRefused } from "../../../view/switches.ts";
import { lineBytes } from "./persisted-output.ts";
import { storeTexts, type TextRun, textRunsOf } from "./text-runs.ts";

/** Content of the newest messages that goes to disk because they exceed the window by themselves. */
export interface WindowFit {
  /** Tool uses whose result is replaced by a preview, and those whose images and documents are left out besides. */
  readonly results: ReadonlySet<string>;
  readonly withoutMedia: ReadonlySet<string>;
  /** Of prompts: texts that give way to beginning and end, by themselves or several as one; images and documents. */
  readonly prompts: readonly TextRun["items"][];
  /** Of each text that is stored, its beginning and its end that stay; of a result at most so much. */
  readonly previewBytes: number;
}

const nothing: WindowFit = { results: new Set(), withoutMedia: new Set(), prompts: [], previewBytes: 0 };

export interface WindowInput {
  readonly view: View;
  /** Results that go to disk anyway. */
  readonly offloaded: ReadonlySet<string>;
  readonly limitTokens: number;
  readonly previewBytes: number;
  /** Tokens of items as the session counts them. */
  readonly countOf: (items: readonly ViewItem[]) => number;
  /** Characters that stand in the place of a result at most, where at most so many bytes of it stay. */
  readonly resultPreviewChars: (toolUseId: string, previewBytes?: number) => number;
  /** Where the log is, where every label names it. */
  readonly logAddress?: string;
}

/** The least of a text's beginning and end that is worth lines of their own. */
const leastPreviewBytes = 250;
/** Around the beginning and the end of a text, in lines of their own and in one. */
const frameChars = 600;
const lineFrameChars = 100;

/** A part of what is unseen that can be made smaller. */
interface Part {
  readonly item: ViewItem;
  readonly kind: "result" | "media" | "result-media";
  readonly tokens: number;
  readonly standIn: number;
}

/**
 * Chooses what is stored of what no model has been asked with, where all of it alone exceeds the limit: the largest
 * results first, then the largest texts, those at the ends of a message last, then images and documents from the last
 * one on. Where they do not fit with the usual beginning and end, these are halved until they do. Where texts are too
 * many for a beginning and an end each, those of one message that stand next to each other are stored as one. Nothing is
 * stored where not even that would help.
 */
export function fitWindow(input: WindowInput): WindowFit {
  const { view, limitTokens, countOf } = input;
  const unseen = findUnseen(view.items, view.boundarySeq);
  if (!unseen) return nothing;
  const items = view.items.slice(unseen.withCalls).filter(({ seq }) => seq !== view.boundarySeq);
  const tokens = countOf(items.map((item) => offloadedItem(item, input)));
  if (tokens < limitTokens) return nothing;
  const { single, joined } = textRunsOf(items, countOf);
  const sizes = halvesOf(input.previewBytes);
  const attempts = [
    ...sizes.map((previewBytes) => ({ previewBytes, runs: single })),
    ...[...sizes, ...lineSizes(input.previewBytes)].map((previewBytes) => ({
      previewBytes,
      runs: joined,
    })),
  ];
  for (const { previewBytes, runs } of attempts) {
    const fit = choose(items, runs, previewBytes, tokens, input);
    if (fit) return fit;
  }
  return nothing;
}

/** Down to what is worth lines of its own. */
function halvesOf(most: number): readonly number[] {
  const sizes: number[] = [];
  for (let bytes = most; bytes >= leastPreviewBytes; bytes = Math.floor(bytes / 2)) sizes.push(bytes);
  return sizes;
}

/** Beginning and end in one line; at last only that something was stored, and its id. */
function lineSizes(most: number): readonly number[] {
  return [Math.min(most, lineBytes), 0];
}

/** A result that goes to disk anyway, as large as what will stand in its place. */
function offloadedItem(item: ViewItem, { offloaded, resultPreviewChars }: WindowInput): ViewItem {
  const { block } = item;
  if (!isBlock(block, "tool_result") || !offloaded.has(block.tool_use_id)) return item;
  const preview = { type: "text", text: "x".repeat(resultPreviewChars(block.tool_use_id)) } as const;
  return { ...item, block: { ...block, content: [preview, ...resultMedia(block)] } };
}

/** The prompt as stored, where so much of a text stays; `undefined` where the rest would not fit. */
function choose(
  items: readonly ViewItem[],
  runs: readonly TextRun[],
  previewBytes: number,
  tokens: number,
  input: WindowInput,
): WindowFit | undefined {
  const { limitTokens, countOf, logAddress = "" } = input;
  const parts = partsOf(items, previewBytes, input);
  const results = parts
    .filter(({ kind }) => kind === "result")
    .toSorted((one, other) => other.tokens - one.tokens);
  const storedResults = storeParts(results, tokens, limitTokens);
  const [item] = items as readonly [ViewItem];
  const standIn = countOf([textItem(item, replacementChars(previewBytes, logAddress))]);
  const texts = storeTexts(runs, storedResults.left, limitTokens, standIn);
  const media = parts.filter(({ kind }) => kind !== "result").toReversed();
  const storedMedia = storeParts(media, texts.left, limitTokens);
  if (storedMedia.left >= limitTokens) return undefined;
  const stored = [...storedResults.parts, ...storedMedia.parts];
  return toFit(stored, texts.stored, previewBytes);
}

/** One after the other, until fewer tokens than the limit are left of so many. */
function storeParts(parts: readonly Part[], tokens: number, limitTokens: number) {
  const chosen: Part[] = [];
  let left = tokens;
  for (const part of parts) {
    if (left < limitTokens) break;
    if (part.tokens <= part.standIn) continue;
    chosen.push(part);
    left -= part.tokens - part.standIn;
  }
  return { parts: chosen, left };
}

function textItem(item: ViewItem, chars: number): ViewItem {
  return { ...item, block: { type: "text", text: "x".repeat(chars) } };
}

function partsOf(items: readonly ViewItem[], previewBytes: number, input: WindowInput): readonly Part[] {
  const { countOf, offloaded, resultPreviewChars, logAddress = "" } = input;
  const label = labelChars + logAddress.length;
  const sized = (item: ViewItem, kind: Part["kind"], block: ContentBlock, standInChars: number): Part => ({
    item,
    kind,
    tokens: countOf([{ ...item, block }]),
    standIn: countOf([textItem(item, standInChars)]),
  });
  return items.flatMap((item): readonly Part[] => {
    const { block, role, decision } = item;
    if (role !== "user" || decision !== undefined) return [];
    if (isMedia(block) || isBlock(block, "document")) return [sized(item, "media", block, label)];
    if (!isBlock(block, "tool_result")) return [];
    const text = { ...block, content: resultText(block) };
    const media = resultMedia(block);
    const isStored = offloaded.has(block.tool_use_id);
    return [
      ...(isStored ? [] : [sized(item, "result", text, resultPreviewChars(block.tool_use_id, previewBytes))]),
      ...(media.length === 0 ? [] : [sized(item, "result-media", { ...block, content: media }, label)]),
    ];
  });
}

/** A label that says which image is left out, and how to get it; and one that only says that something is stored. */
const labelChars = 200;
const shortLabelChars = 70;

/** The shortest label has no room for where the log is. */
function replacementChars(previewBytes: number, logAddress: string): number {
  if (previewBytes === 0) return shortLabelChars;
  const frame = previewBytes <= lineBytes ? lineFrameChars : frameChars;
  return 2 * previewBytes + frame + logAddress.length;
}

function toFit(parts: readonly Part[], texts: readonly TextRun["items"][], previewBytes: number): WindowFit {
  const idsOf = (kind: Part["kind"]) =>
    new Set(
      parts.flatMap(({ kind: own, item: { block } }) =>
        own === kind && isBlock(block, "tool_result") ? block.tool_use_id : [],
      ),
    );
  return {
    results: idsOf("result"),
    withoutMedia: idsOf("result-media"),
    prompts: [...texts, ...parts.flatMap(({ kind, item }) => (kind === "media" ? [[item] as const] : []))],
    previewBytes,
  };
}

/** A summary of what came before needs so much beside it: what stands around it, and some words. */
const frameTokens = 500;
const summaryTokens = 500;
const scaleBelowTokens = 100_000;
/** Where a provider names its limit: what is left of a prompt may count up to 8 % more, by the measure of the whole. */
const safetyPart = 0.9;

/** Tokens that the newest messages may have: the window without system and tools. */
export function unseenLimit(view: View, moment: Moment, facts: Facts): number {
  const { thresholds, headTokens = 0 } = facts;
  const unseen = findUnseen(view.items, view.boundarySeq);
  const hasPast = unseen !== null && unseen.withCalls > 0;
  const scale = Math.min(1, thresholds.window / scaleBelowTokens);
  const limit = Math.min(ownLimit(moment, facts), providerLimit(view, moment, hasPast));
  return limit - headTokens - (hasPast ? frameTokens + Math.floor(summaryTokens * scale) : 0);
}

/** Where requests are blocked; a session that waits for the provider to refuse one has no such limit before. */
function ownLimit(moment: Moment, { settings, thresholds }: Facts): number {
  const isRefused = moment.kind === "before-request" && moment.trigger === "reactive";
  return !isRefused && sendsUntilRefused(settings) ? Number.POSITIVE_INFINITY : thresholds.blocking;
}

/** The provider's limit, in our tokens, where it has just found a request too long. */
function providerLimit({ count }: View, moment: Moment, hasPast: boolean): number {
  if (moment.kind !== "before-request" || moment.trigger !== "reactive") return Number.POSITIVE_INFINITY;
  const { actualTokens, limitTokens, isAnswerCut } = moment.overflow ?? {};
  if (isAnswerCut) return Number.POSITIVE_INFINITY;
  if (actualTokens && limitTokens && limitTokens < actualTokens)
    return Math.floor(((count.tokens * limitTokens) / actualTokens) * safetyPart);
  return hasPast ? Number.POSITIVE_INFINITY : Math.floor(count.tokens / 2);
}
