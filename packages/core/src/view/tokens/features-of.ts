import { type ContentBlock, isBlock } from "../../spec/index.ts";
import {
  estimateJson,
  estimateMedia,
  estimateResultText,
  mediaTokens,
  textBytesPerToken,
} from "./estimate-block.ts";
import { createTally, type Features, type FeatureTally } from "./features.ts";
import { scanText } from "./scan-text.ts";

/**
 * Signatures as recorded in 2026: base64 of the encrypted thinking, behind a head of about this many characters.
 * Shorter ones tell nothing.
 */
const signatureHeadLength = 232;
const bytesPerBase64Character = 3 / 4;

/** Smaller blocks are looked at again: what is remembered of them would take more memory than they do. */
const minKnownTokens = 64;

/** By block: one that is frozen stays what it is. */
const known = new WeakMap<ContentBlock, Features>();

/** The features of a message's content or of one block. `plain` is what `estimateContent` says. */
export function featuresOf(content: string | ContentBlock | readonly ContentBlock[]): Features {
  if (typeof content !== "string" && !isList(content)) return featuresOfBlock(content);
  const [first] = content;
  if (typeof first === "object" && content.length === 1) return featuresOfBlock(first);
  const tally = createTally();
  if (typeof content === "string") addText(content, tally);
  else for (const block of content) addBlock(block, tally);
  return tally;
}

function featuresOfBlock(block: ContentBlock): Features {
  const before = known.get(block);
  if (before) return before;
  const tally = createTally();
  addBlock(block, tally);
  if (tally.plain >= minKnownTokens && Object.isFrozen(block)) known.set(block, tally);
  return tally;
}

function isList(content: ContentBlock | readonly ContentBlock[]): content is readonly ContentBlock[] {
  return Array.isArray(content);
}

function addBlock(block: ContentBlock, tally: FeatureTally): void {
  if (isBlock(block, "text")) addText(block.text, tally);
  else if (isBlock(block, "thinking")) addThinking(block.thinking, block.signature ?? "", tally);
  else if (isBlock(block, "redacted_thinking")) addRedacted(block.data, tally);
  else if (isBlock(block, "tool_use")) addToolUse(block.name, block.input, tally);
  else if (isBlock(block, "tool_result")) addResult(block.content ?? "", tally);
  else if (isBlock(block, "image") || isBlock(block, "document")) addMedia(block, tally);
  else addJson(block, tally);
}

function addText(text: string, tally: FeatureTally): void {
  tally.plain += Math.ceil(scanText(text, tally) / textBytesPerToken);
}

/** What is shown may be a summary of what was thought, or nothing: the signature carries the whole. */
function addThinking(text: string, signature: string, tally: FeatureTally): void {
  addText(text, tally);
  tally.opaqueBytes += Math.max(0, bytesBehind(signature) - text.length);
}

function addRedacted(data: string, tally: FeatureTally): void {
  tally.plain += Math.ceil(Buffer.byteLength(data) / textBytesPerToken);
  tally.opaqueBytes += bytesBehind(data);
}

function bytesBehind(base64: string): number {
  return Math.max(0, base64.length - signatureHeadLength) * bytesPerBase64Character;
}

function addToolUse(name: string, input: unknown, tally: FeatureTally): void {
  tally.toolUses += 1;
  addText(name, tally);
  addJson(input, tally);
}

function addResult(content: string | readonly ContentBlock[], tally: FeatureTally): void {
  if (typeof content === "string") {
    addResultText(content, tally);
    return;
  }
  for (const block of content) {
    if (isBlock(block, "text")) addResultText(block.text, tally);
    else addBlock(block, tally);
  }
}

function addResultText(text: string, tally: FeatureTally): void {
  tally.plain += estimateResultText(text, scanText(text, tally));
}

function addMedia(block: ContentBlock, tally: FeatureTally): void {
  const tokens = estimateMedia(block);
  tally.plain += tokens;
  tally.media += tokens / mediaTokens;
}

function addJson(value: unknown, tally: FeatureTally): void {
  tally.plain += estimateJson(value);
  addValue(value, tally);
}

/** Keys and values as they are, without the quotes and escapes of their JSON: models are not shown those. */
function addValue(value: unknown, tally: FeatureTally): void {
  if (typeof value === "string") scanText(value, tally);
  else if (Array.isArray(value)) for (const element of value) addValue(element, tally);
  else if (typeof value === "object" && value !== null) {
    for (const key of Object.keys(value)) {
      scanText(key, tally);
      addValue((value as Readonly<Record<string, unknown>>)[key], tally);
    }
  } else if (value !== undefined) addValue(String(value), tally);
}
