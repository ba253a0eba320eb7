import { isBlock, type ToolUseBlock, type View } from "../../../spec/index.ts";
import { readToolPurpose } from "../../../view/ledgers/tool-call.ts";
import { resultMedia, resultText } from "../../../view/projection/message-items.ts";
import { frameChars, type ToolResultLimits, type ToolResultNumbers } from "../settings.ts";
import type { UnsettledResult } from "./unsettled-rounds.ts";

/** A result as far as the limit of its round goes. */
interface SizedResult {
  readonly chars: number;
  /** It is over its own limit. */
  readonly isOver: boolean;
}

interface RoundFit {
  /** The results that go to disk. */
  readonly offloaded: ReadonlySet<SizedResult>;
  /** Bytes from the beginning of each that stay: fewer than usual where very many results share the round. */
  readonly previewBytes: number;
}

/**
 * Which results of a round go to disk: those over their own limit, and then the largest until the round holds. Where it
 * does not hold with the usual previews, they are halved until it does, or nothing is left of them.
 */
export function fitRound(
  results: readonly SizedResult[],
  settledChars: number,
  numbers: ToolResultNumbers & Pick<ToolResultLimits, "logAddress">,
): RoundFit {
  const bySize = results.filter(({ isOver }) => !isOver).toSorted((a, b) => b.chars - a.chars);
  const over = results.filter(({ isOver }) => isOver);
  const whole = bySize.reduce((sum, { chars }) => sum + chars, settledChars);

  function fitWith(previewBytes: number): RoundFit & { readonly holds: boolean } {
    const replaced = offloadedChars(previewBytes, numbers);
    const offloaded = new Set(over);
    let total = whole + over.length * replaced;
    for (const result of bySize) {
      if (total <= numbers.roundMaxChars || result.chars <= replaced) break;
      offloaded.add(result);
      total -= result.chars - replaced;
    }
    return { offloaded, previewBytes, holds: total <= numbers.roundMaxChars };
  }

  let fit = fitWith(numbers.previewBytes);
  while (!fit.holds && fit.previewBytes > 0) fit = fitWith(Math.floor(fit.previewBytes / 2));
  return { offloaded: fit.offloaded, previewBytes: fit.previewBytes };
}

/** The most characters that stand in place of an offloaded result. */
export function offloadedChars(
  previewBytes: number,
  { tailBytes, logAddress = "" }: Pick<ToolResultLimits, "tailBytes" | "logAddress">,
): number {
  return previewBytes + Math.min(previewBytes, tailBytes) + frameChars + logAddress.length;
}

/** Finds what a file's read had brought before. */
export interface EarlierReads {
  /** One line that says where the very same text of the same file stands; `undefined` where it stands nowhere. */
  referenceFor(result: UnsettledResult): string | undefined;
}

/** Knows the reads whose results stand whole in the view, and will: the choice for them is frozen. */
export function earlierReads(view: View, logAddress?: string): EarlierReads {
  const calls = new Map<string, string>();
  const reads = new Map<string, { readonly toolUseId: string; readonly text: string }>();
  for (const { block, decision } of view.items) {
    if (isBlock(block, "tool_use")) {
      const key = readKey(block);
      if (key !== undefined) calls.set(block.id, key);
    }
    if (!isBlock(block, "tool_result") || decision !== undefined || block.is_error) continue;
    const key = view.settledResults.has(block.tool_use_id) ? calls.get(block.tool_use_id) : undefined;
    if (key !== undefined) reads.set(key, { toolUseId: block.tool_use_id, text: resultText(block) });
  }
  return {
    referenceFor({ block, call }) {
      const key = call && !block.is_error && resultMedia(block).length === 0 ? readKey(call) : undefined;
      const earlier = key === undefined ? undefined : reads.get(key);
      if (earlier === undefined || earlier.text !== resultText(block)) return undefined;
      const again = logAddress === undefined ? " Recall with that id gives it again." : "";
      const sentence = `(Unchanged: this is word for word the result of tool use ${earlier.toolUseId} above.${again})`;
      return sentence.length < earlier.text.length ? sentence : undefined;
    },
  };
}

/** Two reads with one key ask for the same part of the same file. */
function readKey(call: ToolUseBlock): string | undefined {
  const purpose = readToolPurpose(call);
  if (purpose.purpose !== "file" || purpose.action !== "read") return undefined;
  return JSON.stringify([purpose.path, purpose.range]);
}

const encoder = new TextEncoder();

/** The beginning of a text in at most so many bytes of UTF-8: whole lines where one fits, else whole code points. */
export function firstLines(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(Math.min(maxBytes, text.length * 3)));
  if (read === text.length) return text;
  const end = text.lastIndexOf("\n", read);
  return text.slice(0, end > 0 ? end : read);
}

/** The end of a text in at most so many bytes of UTF-8: whole lines where one fits, else whole code points. */
export function lastLines(text: string, maxBytes: number): string {
  const start = suffixStart(text, maxBytes);
  if (start === 0 || text[start - 1] === "\n") return text.slice(start);
  const lineEnd = text.indexOf("\n", start);
  return text.slice(lineEnd === -1 || lineEnd === text.length - 1 ? start : lineEnd + 1);
}

export function bytesOf(text: string): number {
  return encoder.encode(text).length;
}

/** Where the longest suffix of whole code points begins that has at most so many bytes. */
function suffixStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let bytes = 0; start > 0; ) {
    const isPair = start > 1 && (text.codePointAt(start - 2) ?? 0) > 0xffff;
    const next = start - (isPair ? 2 : 1);
    bytes += bytesOf(text.slice(next, start));
    if (bytes > maxBytes) return start;
    start = next;
  }
  return start;
}
