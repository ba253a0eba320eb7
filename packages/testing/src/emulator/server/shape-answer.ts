import type { Answer } from "../script/answer.ts";
import type { CacheOutcome, MeasuredPrompt } from "../wire.ts";
import { type CutBlocks, cutBlocks, type SentBlock } from "./cut-blocks.ts";

interface AnswerLimits {
  readonly maxTokens: number;
  /** The room that the window has left behind the prompt. */
  readonly roomTokens: number;
  readonly stopSequences: readonly string[];
}

export interface AnswerShaping extends AnswerLimits {
  toolUseId(): string;
  /** Signs a thinking block, redacted or not, that stands behind those blocks. */
  sign(block: SentBlock, before: readonly SentBlock[]): SentBlock;
  measure(blocks: readonly SentBlock[]): number;
}

/** An answer as it is sent, whether in one piece or as a stream. */
export interface ShapedAnswer extends CutBlocks {
  readonly stopReason: string;
  readonly stopSequence: string | null;
  readonly outputTokens: number;
  readonly thinkingTokens: number;
}

/** Gives the blocks of a script the fields of the API and ends them where the request's limits do. Pure. */
export function shapeAnswer(answer: Answer, shaping: AnswerShaping): ShapedAnswer {
  const whole: SentBlock[] = [];
  for (const block of answer.content) whole.push(toSentBlock(block as SentBlock, whole, shaping));
  const stopped = stopAtSequence(whole, shaping.stopSequences);
  const limit = Math.max(0, Math.min(shaping.maxTokens, shaping.roomTokens));
  const measured = answer.outputTokens ?? shaping.measure(stopped.content);
  const isCut = answer.outputTokens === undefined && measured > limit;
  const ended = isCut ? cutAnswer(stopped.content, limit, shaping) : stopped;
  const outputTokens = isCut ? limit : measured;
  const thinking = ended.content.filter(({ type }) => type === "thinking" || type === "redacted_thinking");
  return {
    content: ended.content,
    ...("partialInput" in ended && { partialInput: ended.partialInput }),
    ...stopOf(answer, shaping, isCut, stopped.sequence, ended.content),
    outputTokens,
    thinkingTokens: Math.min(outputTokens, thinking.length === 0 ? 0 : shaping.measure(thinking)),
  };
}

function toSentBlock(block: SentBlock, before: readonly SentBlock[], shaping: AnswerShaping): SentBlock {
  if (block.type === "thinking" && !block.signature) return shaping.sign(block, before);
  if (block.type === "redacted_thinking" && !block.data) return shaping.sign(block, before);
  if (block.type !== "tool_use") return block;
  const { type, id = shaping.toolUseId(), name, input, ...rest } = block;
  return { type, id, name, input, caller: { type: "direct" }, ...rest };
}

/** Thinking that was cut has a signature for what is left of it. */
function cutAnswer(blocks: readonly SentBlock[], limit: number, shaping: AnswerShaping): CutBlocks {
  const cut = cutBlocks(blocks, limit, shaping.measure);
  const last = cut.content.at(-1);
  if (last?.type !== "thinking" || blocks.includes(last)) return cut;
  const before = cut.content.slice(0, -1);
  return { content: [...before, shaping.sign(last, before)] };
}

function stopOf(
  { stopReason }: Answer,
  { maxTokens, roomTokens }: AnswerLimits,
  isCut: boolean,
  sequence: string | null,
  content: readonly SentBlock[],
) {
  const cutReason = roomTokens < maxTokens ? "model_context_window_exceeded" : "max_tokens";
  const ended = content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn";
  if (isCut) return { stopReason: cutReason, stopSequence: null };
  if (sequence !== null) return { stopReason: "stop_sequence", stopSequence: sequence };
  return { stopReason: stopReason ?? ended, stopSequence: null };
}

/** Text ends in front of the first stop sequence, and everything behind it is not said. */
function stopAtSequence(blocks: readonly SentBlock[], sequences: readonly string[]) {
  for (const [index, block] of blocks.entries()) {
    if (block.type !== "text") continue;
    const text = String(block.text);
    const found = sequences
      .map((sequence) => ({ sequence, at: text.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .sort((a, b) => a.at - b.at)[0];
    if (found === undefined) continue;
    const said = text.slice(0, found.at);
    const last = said === "" ? [] : [{ ...block, text: said }];
    return { content: [...blocks.slice(0, index), ...last], sequence: found.sequence };
  }
  return { content: blocks, sequence: null };
}

/** The record's fields about the cache. */
export function cacheFields({ tokens, blocks }: MeasuredPrompt, { hitBlock, missReason }: CacheOutcome) {
  const hitPath = blocks[hitBlock]?.path;
  return {
    promptTokens: tokens,
    hitBlock,
    ...(hitPath !== undefined && { hitPath }),
    ...(missReason !== undefined && { missReason }),
  };
}
