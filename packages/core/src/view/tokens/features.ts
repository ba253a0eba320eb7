import { type ContentBlock, isBlock } from "../../spec/index.ts";
import {
  estimateJson,
  estimateMedia,
  estimateResultText,
  mediaTokens,
  textBytesPerToken,
} from "./estimate.ts";

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

/** The text shown may be a summary of the thinking, or nothing: the signature carries the whole. */
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

/** Characters looked at before their counters are unpacked: fewer than a counter of 7 bits can hold. */
const groupLength = 64;
/** Longer texts are sampled: two groups of characters, one more per so many, spread evenly over the whole. */
const wholeLength = 256;
const charactersPerGroup = 512;
const maxGroups = 8;

const digit = 1;
const newline = 1 << 7;
const space = 1 << 14;
const punctuation = 1 << 21;
const counterMask = 0x7f;

/** Four counters of 7 bits in one number, by character code, so that a character costs one addition. */
const packedByCode = Int32Array.from({ length: 128 }, (_zero, code) => {
  const character = String.fromCharCode(code);
  if (/[A-Za-z]/.test(character)) return 0;
  if (/[0-9]/.test(character)) return digit;
  if (character === "\n") return newline;
  return /[ \t\r]/.test(character) ? space : punctuation;
});

/** Where in its group each sampled character stands, in steps: uneven, so as not to fall in step with lines. */
const places = Float64Array.from(
  { length: groupLength },
  (_zero, index) => index + ((index * 0.6180339887498949) % 1),
);

/**
 * Adds a text's characters to a tally and returns its length in UTF-8, exactly. Short texts are read whole, long ones
 * sampled; the same text always gives the same counts.
 */
function scanText(text: string, tally: FeatureTally): number {
  return text.length <= wholeLength ? readWhole(text, tally) : readSample(text, tally);
}

function readWhole(text: string, tally: FeatureTally): number {
  const { length } = text;
  let isAscii = true;
  for (let start = 0; start < length; start += groupLength) {
    const end = Math.min(start + groupLength, length);
    let packed = 0;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      if (code < 128) packed += packedByCode[code] as number;
      else isAscii = false;
    }
    addPacked(packed, end - start, 1, tally);
  }
  if (isAscii) return length;
  const bytes = Buffer.byteLength(text);
  tally.extraBytes += bytes - length;
  return bytes;
}

function readSample(text: string, tally: FeatureTally): number {
  const { length } = text;
  const groups = Math.min(maxGroups, 2 + Math.floor(length / charactersPerGroup));
  const step = length / (groups * groupLength);
  for (let group = 0; group < groups; group += 1) {
    let packed = 0;
    const start = group * groupLength;
    for (let index = 0; index < groupLength; index += 1) {
      const code = text.charCodeAt(((start + (places[index] as number)) * step) | 0);
      if (code < 128) packed += packedByCode[code] as number;
    }
    addPacked(packed, groupLength, step, tally);
  }
  const bytes = Buffer.byteLength(text);
  tally.extraBytes += bytes - length;
  return bytes;
}

/** Letters are what no counter holds. */
function addPacked(packed: number, characters: number, weight: number, tally: FeatureTally): void {
  const digits = packed & counterMask;
  const newlines = (packed >> 7) & counterMask;
  const spaces = (packed >> 14) & counterMask;
  const marks = packed >> 21;
  tally.digits += digits * weight;
  tally.newlines += newlines * weight;
  tally.spaces += spaces * weight;
  tally.punctuation += marks * weight;
  tally.letters += (characters - digits - newlines - spaces - marks) * weight;
}

/** Features that predict a content's tokens, beside the plain rule; the order is that of stored calibrations. */
export const featureNames = [
  "letters",
  "digits",
  "newlines",
  "spaces",
  "punctuation",
  "extraBytes",
  "opaqueBytes",
  "toolUses",
  "media",
] as const;

export type FeatureName = (typeof featureNames)[number];

/**
 * Counts that add up: the features of two contents together are the sum of both, so that what was added since a
 * response can be kept as one sum. In long texts the first five are projected from a sample.
 *
 * - `letters`: letters, and all characters beyond ASCII
 * - `spaces`: blanks, tabs and carriage returns
 * - `extraBytes`: UTF-8 bytes beyond one per UTF-16 unit; 0 for ASCII, 2 per character for Chinese
 * - `opaqueBytes`: thinking that the text does not show, as far as its signature or data tells
 * - `media`: images and documents; a small image is a part of one
 * - `plain`: tokens by the plain rule
 */
export type Features = Readonly<Record<FeatureName | "plain", number>>;

/** Features in the making. */
type FeatureTally = { -readonly [Name in keyof Features]: number };

function createTally(): FeatureTally {
  return {
    letters: 0,
    digits: 0,
    newlines: 0,
    spaces: 0,
    punctuation: 0,
    extraBytes: 0,
    opaqueBytes: 0,
    toolUses: 0,
    media: 0,
    plain: 0,
  };
}

export const noFeatures: Features = createTally();

export function addFeatures(one: Features, other: Features): Features {
  return {
    letters: one.letters + other.letters,
    digits: one.digits + other.digits,
    newlines: one.newlines + other.newlines,
    spaces: one.spaces + other.spaces,
    punctuation: one.punctuation + other.punctuation,
    extraBytes: one.extraBytes + other.extraBytes,
    opaqueBytes: one.opaqueBytes + other.opaqueBytes,
    toolUses: one.toolUses + other.toolUses,
    media: one.media + other.media,
    plain: one.plain + other.plain,
  };
}

/** In the order of `featureNames`. */
export function featureValues(features: Features): readonly number[] {
  return [
    features.letters,
    features.digits,
    features.newlines,
    features.spaces,
    features.punctuation,
    features.extraBytes,
    features.opaqueBytes,
    features.toolUses,
    features.media,
  ];
}
