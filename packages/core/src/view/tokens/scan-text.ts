import type { FeatureTally } from "./features.ts";

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
export function scanText(text: string, tally: FeatureTally): number {
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
