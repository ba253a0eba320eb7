import type { TextBlock, TokenCount, ToolDefinition, Usage, ViewItem } from "../../spec/index.ts";
import { rateRanges } from "./calibration-state.ts";
import { padEstimate, type TokenEstimate, unmeasuredTokens } from "./estimate.ts";
import { addFeatures, type Features, featureNames, featuresOf, noFeatures } from "./features.ts";

/** How features become tokens: a calibration for the model at hand, or `plainEstimate`. */
export type Estimator = (features: Features) => TokenEstimate;

/**
 * The canonical count of a view: what the newest response in it measured, plus estimates for what was added since its
 * first entry, minus `freedSince`. Without such a response, everything is estimated.
 *
 * Each token must be counted once and freed once: where an item's features are those it has now, `freedSince` is only
 * what decisions took out of what the response measured; where they are those it was added with, all that was freed
 * since. It is negative when more came back than went.
 */
export function countTokens(
  items: readonly CountedItem[],
  freedSince: number,
  estimate: Estimator,
): TokenCount {
  const boundary = items.findLastIndex((item) => item.isBoundary === true && item.isAborted !== true);
  const sent = items.slice(Math.max(0, boundary)).filter((item) => item.isAborted !== true);
  const starts = responseStarts(sent);
  for (const [order, start] of [...starts.entries()].reverse()) {
    const end = starts[order + 1] ?? sent.length;
    const isOwn = (item: CountedItem, at: number) =>
      at === start || (at > start && at < end && isSame(item, sent[start]));
    const measured = sent.filter(isOwn).map(measuredTokens).findLast(isNumber);
    if (measured === undefined) continue;
    const added = sent.filter((item, at) => at > start && !isOwn(item, at));
    return finalCount(measured, sumFeatures(added), freedSince, estimate);
  }
  return finalCount(undefined, sumFeatures(sent), freedSince, estimate);
}

function isSame(item: CountedItem, response: CountedItem | undefined): boolean {
  return item.isKept !== true && item.responseId !== undefined && item.responseId === response?.responseId;
}

function isNumber(tokens: number | undefined): tokens is number {
  return tokens !== undefined;
}

/** Where responses begin: at the first item of an id, or at an item that has usage and no id. */
function responseStarts(items: readonly CountedItem[]): readonly number[] {
  const seen = new Set<string>();
  return items.flatMap((item, at) => {
    if (item.isKept === true) return [];
    if (item.responseId === undefined) return measuredTokens(item) === undefined ? [] : [at];
    if (seen.has(item.responseId)) return [];
    seen.add(item.responseId);
    return [at];
  });
}

function sumFeatures(items: readonly CountedItem[]): Features {
  return items.reduce((sum, item) => addFeatures(sum, item.features), noFeatures);
}

/** The last step of every count. The plain rule is padded where nothing was measured: on its own it falls short. */
export function finalCount(
  measured: number | undefined,
  added: Features,
  freed: number,
  estimate: Estimator,
): TokenCount {
  const { tokens, source } = estimate(added);
  if (measured !== undefined) return { tokens: Math.max(0, measured + tokens - freed), source: "usage" };
  const rest = Math.max(0, tokens - freed);
  return { tokens: unmeasuredTokens({ tokens: rest, source }, added), source };
}

/** Tokens of items as a count that rests on no usage has them. */
export function countItems(items: readonly ViewItem[], estimate: Estimator): number {
  const features = items.reduce((sum, { block }) => addFeatures(sum, featuresOf(block)), noFeatures);
  return unmeasuredTokens(estimate(features), features);
}

/**
 * One element of a view as far as counting goes: an entry or a block of one, in the order of the log. Those of one
 * response share its id; tool results may stand between them, other responses may not.
 */
export interface CountedItem {
  readonly features: Features;
  readonly responseId?: string;
  readonly model?: string;
  /** Of the whole response: where its entries differ, the last one holds. All zero says nothing. */
  readonly usage?: Usage;
  /** Of a response that was aborted or failed: never sent, so that neither its usage nor its content counts. */
  readonly isAborted?: boolean;
  /**
   * A compaction stands here: nothing before it counts, and its own features are those of the summary. What it keeps
   * comes behind it, wherever it is sent.
   */
  readonly isBoundary?: boolean;
  /** From before the newest boundary and kept by it: its content counts, its usage is of another view. */
  readonly isKept?: boolean;
}

/** The tokens sent to the model for a response. */
export function promptTokens(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheCreation;
}

/** The tokens a response measured: its prompt and its own output. Absent where it says nothing about this view. */
export function measuredTokens(item: CountedItem): number | undefined {
  if (item.usage === undefined || item.isKept === true || promptTokens(item.usage) <= 0) return undefined;
  return promptTokens(item.usage) + item.usage.output;
}

/** A prompt as the provider counted it: all of its tokens, and the features of the messages in it. */
export interface CountedPrompt {
  readonly tokens: number;
  readonly messages: Features;
}

/** System prompt and tools. */
export interface CountedHead {
  readonly features: Features;
  /** The most that their text can have; absent where nobody knows what stands there. */
  readonly mostTokens?: number;
}

/**
 * Tokens of system prompt and tools. Without a counted prompt they are estimated, padded where only the plain rule is
 * known. With one they are what its messages leave of it: by the plain rule those have between their estimate and the
 * padded one, and the head's own estimate is moved into what that leaves. The fewer messages, the less room for error.
 * What is more than the head's text can have is the messages', as far as they can have it: base64, hex and images that
 * a provider counts at a fixed price have many times their estimate.
 */
export function countHead(
  { features, mostTokens = Number.POSITIVE_INFINITY }: CountedHead,
  prompt: CountedPrompt | undefined,
  estimate: Estimator,
): TokenCount {
  const own = estimate(features);
  if (!prompt) return { tokens: padPlain(own), source: own.source };
  const messages = estimate(prompt.messages);
  const most = Math.max(0, prompt.tokens - messages.tokens);
  const least = Math.max(0, prompt.tokens - padPlain(messages));
  const left = Math.min(most, Math.max(least, padPlain(own)));
  const likely = Math.min(left, Math.max(mostTokens, padPlain(own)));
  const certain = Math.min(most, prompt.tokens - mostMessageTokens(prompt.messages));
  return { tokens: Math.max(likely, certain), source: "usage" };
}

/** Tokenizers may be twice as fine as the start rates say: the ranges leave as much room. */
const finestTokenizer = 2;
/** A provider explains tools to the model in words of its own: 250 to 550 tokens with Claude models, once. */
const toolWordsTokens = 1_000;

/** The most that the text of a system prompt and so many tools can have, with what a provider puts around it. */
export function mostHeadTokens(features: Features, tools: number): number {
  const usual = featureNames.reduce((sum, name) => sum + rateRanges[name].start * features[name], 0);
  const text = Math.ceil(finestTokenizer * Math.max(usual, features.plain));
  return text + (tools > 0 ? toolWordsTokens : 0);
}

/** No tokenizer makes more than one token of a byte; for an image a provider may count whatever it likes. */
function mostMessageTokens({ plain, opaqueBytes, toolUses, media }: Features): number {
  if (media > 0) return Number.POSITIVE_INFINITY;
  return plain * mostTokensPerEstimated + opaqueBytes + toolUses * rateRanges.toolUses.max;
}

function padPlain({ tokens, source }: TokenEstimate): number {
  return source === "plain" ? padEstimate(tokens) : tokens;
}

/**
 * Whole numbers in proportion to the amounts, which together are exactly `total`; what is 0 stays 0. None is off by one
 * or more. Where all amounts are 0 there is nothing to go by: all stay 0.
 */
export function apportion(amounts: readonly number[], total: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (whole === 0) return amounts;
  let passed = 0;
  let given = 0;
  return amounts.map((amount) => {
    passed += amount;
    const upTo = Math.round((passed / whole) * total);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}

interface DoubtedUsage {
  readonly usage: Usage;
  /** Of what was asked, by our own count without any usage. */
  readonly promptEstimate: number;
  /** Of what was answered. */
  readonly answerEstimate: number;
  readonly windowTokens: number;
  /** The provider has left out parts of what it was sent, by its own word. */
  readonly isEdited: boolean;
}

/** The plain rule has 4 bytes a token, and no tokenizer makes more than one token of a byte. */
export const mostTokensPerEstimated = 4;
/** No text that people or programs write has more than 200 bytes a token. */
const leastShare = 50;
/** Below this many tokens an estimate says too little about the least there can be. */
const smallEstimate = 10_000;

/**
 * Why a usage cannot be of this request and this answer, as a sentence; `null` where it can. What nobody sees here
 * (prompts of the provider's own, hidden thinking) may fill a window, and no more. A prompt of no tokens says nothing.
 */
export function doubtUsage(doubted: DoubtedUsage): string | null {
  const { usage, promptEstimate, answerEstimate, windowTokens, isEdited } = doubted;
  const prompt = promptTokens(usage);
  const isOver = (tokens: number, estimate: number) =>
    tokens > estimate * mostTokensPerEstimated + windowTokens;
  if (isOver(prompt, promptEstimate))
    return `${prompt} tokens are reported for a prompt of about ${promptEstimate}.`;
  if (isOver(usage.output, answerEstimate))
    return `${usage.output} tokens are reported for an answer of about ${answerEstimate}.`;
  const isUnder = prompt > 0 && promptEstimate >= smallEstimate && prompt * leastShare < promptEstimate;
  return isUnder && !isEdited
    ? `${prompt} tokens are reported for a prompt of about ${promptEstimate}.`
    : null;
}

/** A tool definition as the text of its JSON: definitions count by the rule for text, descriptions and schema alike. */
export function toolText(tool: ToolDefinition): TextBlock {
  return { type: "text", text: JSON.stringify(tool) };
}

/** The features of all that stands before the messages of a request. */
export function headFeatures(system: readonly TextBlock[], tools: readonly ToolDefinition[]): Features {
  return featuresOf([...system, ...tools.map(toolText)]);
}
