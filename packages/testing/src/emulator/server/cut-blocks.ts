import { isRecord } from "../request/wire-values.ts";

/** A block as it is sent. */
export type SentBlock = Readonly<Record<string, unknown>> & { readonly type: string };

export interface CutBlocks {
  readonly content: readonly SentBlock[];
  /** Where the last block is a tool call that was cut: its input as far as it came, no JSON. */
  readonly partialInput?: string;
}

/** As much of the blocks as `limit` tokens hold. The last one is cut between two code points, or left out. */
export function cutBlocks(
  blocks: readonly SentBlock[],
  limit: number,
  measure: (blocks: readonly SentBlock[]) => number,
): CutBlocks {
  const content: SentBlock[] = [];
  for (const block of blocks) {
    if (measure([...content, block]) <= limit) {
      content.push(block);
      continue;
    }
    const text = textOf(block);
    const kept = longestStart(text, (start) => measure([...content, withText(block, start)]) <= limit);
    if (kept === "") break;
    if (block.type !== "tool_use") return { content: [...content, withText(block, kept)] };
    return {
      content: [...content, { ...block, input: wholeProperties(block.input, kept) }],
      partialInput: kept,
    };
  }
  return { content };
}

function textOf(block: SentBlock): string {
  if (block.type === "text") return String(block.text);
  if (block.type === "thinking") return String(block.thinking);
  return block.type === "tool_use" ? JSON.stringify(block.input) : "";
}

function withText(block: SentBlock, text: string): SentBlock {
  if (block.type === "text") return { ...block, text };
  if (block.type === "thinking") return { ...block, thinking: text };
  return { ...block, input: text };
}

function longestStart(text: string, fits: (start: string) => boolean): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return wellFormedStart(text, low);
}

/** Not in the middle of a surrogate pair. */
export function wellFormedStart(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  const isInPair = length < text.length && code >= 0xd800 && code <= 0xdbff;
  return text.slice(0, isInPair ? length - 1 : length);
}

/** The properties of an input that are whole in its cut JSON: what a client that parses what came would have. */
function wholeProperties(input: unknown, json: string): Record<string, unknown> {
  const whole: [string, unknown][] = [];
  for (const entry of isRecord(input) ? Object.entries(input) : []) {
    const start = JSON.stringify(Object.fromEntries([...whole, entry])).slice(0, -1);
    if (!json.startsWith(start)) break;
    whole.push(entry);
  }
  return Object.fromEntries(whole);
}
