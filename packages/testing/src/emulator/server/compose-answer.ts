import type { CacheLook } from "../cache/prompt-cache.ts";
import { measureOutput, measurePrompt } from "../request/measure-prompt.ts";
import { isRecord } from "../request/wire-values.ts";
import type { Answer, AnswerBlock } from "../script/answer.ts";
import { signCompaction, signThinking } from "../thinking/sign-thinking.ts";
import type { MeasuredPrompt, WireBody, WireUsage } from "../wire.ts";
import type { Emulation } from "./emulation.ts";
import type { Acceptance } from "./judge-request.ts";
import { type ShapedAnswer, shapeAnswer } from "./shape-answer.ts";
import { toUsage } from "./to-message.ts";

/** An answer with what it cost. */
export interface ComposedAnswer {
  readonly shaped: ShapedAnswer;
  readonly usage: WireUsage;
  /** The prompt that was answered: after a compaction on the way, the summary. */
  readonly prompt: MeasuredPrompt;
  /** The response begins. */
  begin(): void;
}

/**
 * Makes an answer of what the script says: as it is, as a summary, or with a summary in front of it. `model` is what it
 * calls its model.
 */
export function composeAnswer(
  said: Answer,
  judged: Acceptance,
  looked: CacheLook,
  emulation: Emulation,
  model: string | undefined,
): ComposedAnswer {
  const { body, edited, prompt } = judged;
  const { secret } = emulation;
  const isDemanded = isCompaction(body);
  if (edited.compaction?.isPaused === false) return continueCompacted(said, judged, looked, emulation, model);
  const isSummary = isDemanded || edited.compaction !== null;
  const seal = isDemanded ? "signature" : "encrypted_content";
  const shaped = shape(isSummary ? toCompaction(said, seal, body, secret) : said, judged, prompt, emulation);
  const usage = toUsage(looked.outcome, shaped.outputTokens, shaped.thinkingTokens);
  return { shaped, usage: isSummary ? toCompactionUsage(usage) : usage, prompt, begin: looked.begin };
}

/**
 * The prompt is summed up, and the answer is to the summary. The summary is the content of a `compaction` block that
 * the script's answer begins with, or words of the emulator's own. `usage` counts the answer, `iterations` both.
 */
function continueCompacted(
  said: Answer,
  judged: Acceptance,
  looked: CacheLook,
  emulation: Emulation,
  model: string | undefined,
): ComposedAnswer {
  const { body, edited, found } = judged;
  const summary = toCompaction(
    { kind: "answer", content: [{ type: "text", text: summaryOf(said, judged) }] },
    "encrypted_content",
    body,
    emulation.secret,
  );
  const outputTokens = measureOutput(summary.content);
  const compaction = shape({ ...summary, outputTokens }, judged, judged.prompt, emulation);
  const messages = [{ role: "assistant", content: compaction.content }];
  const prompt = measurePrompt({ ...edited.body, messages });
  const again = emulation.cache.look(prompt, found.model.id);
  const content = said.content.filter(({ type }, at) => at > 0 || type !== "compaction");
  const shaped = shape({ ...said, content }, judged, prompt, emulation);
  const usage = toUsage(again.outcome, shaped.outputTokens, shaped.thinkingTokens);
  const summing = toUsage(looked.outcome, compaction.outputTokens, 0);
  const iterations = [toIteration("compaction", summing), { ...toIteration("message", usage), model }];
  return {
    shaped: { ...shaped, content: [...compaction.content, ...shaped.content] },
    usage: { ...usage, iterations },
    prompt,
    begin() {
      looked.begin();
      again.begin();
    },
  };
}

function summaryOf({ content: [first] }: Answer, { prompt }: Acceptance): string {
  const given = first?.type === "compaction" ? (first as AnswerBlock & { content?: unknown }).content : null;
  return typeof given === "string" && given !== "" ? given : `Summary of ${prompt.tokens} tokens.`;
}

function shape(
  answer: Answer,
  { found, body }: Acceptance,
  prompt: MeasuredPrompt,
  emulation: Emulation,
): ShapedAnswer {
  return shapeAnswer(answer, {
    maxTokens: body.max_tokens as number,
    roomTokens: found.capabilities.contextWindow - prompt.tokens,
    stopSequences: (body.stop_sequences ?? []) as readonly string[],
    toolUseId: () => emulation.ids.next("toolu"),
    sign(block, before) {
      const isRedacted = block.type === "redacted_thinking";
      const text = isRedacted ? "" : String(block.thinking);
      const seal = signThinking({ body, before, text, isRedacted, secret: emulation.secret });
      return isRedacted ? { ...block, data: seal } : { ...block, signature: seal };
    },
    measure: measureOutput,
  });
}

/** Whether a request asks for a summary of itself and for nothing else. */
function isCompaction({ compaction }: WireBody): boolean {
  return isRecord(compaction);
}

/**
 * An answer that is a compaction and nothing else: what the script says is the summary; without words it failed, and
 * the content is null. `seal` is the field that vouches for it: `signature` where it was demanded, else the other.
 */
function toCompaction(
  { content, outputTokens }: Answer,
  seal: "signature" | "encrypted_content",
  body: WireBody,
  secret: string,
): Answer {
  const words = content.flatMap((block) => (block.type === "text" ? String(block.text) : [])).join("\n");
  const summary = words === "" ? null : words;
  const sealed = summary === null ? null : signCompaction({ body, content: summary, secret });
  const block = { type: "compaction", content: summary, encrypted_content: null };
  return {
    kind: "answer",
    content: [
      seal === "signature" ? { ...block, signature: sealed } : { ...block, encrypted_content: sealed },
    ],
    stopReason: "compaction",
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

/** The tokens of a compaction stand in its iteration only: nothing was answered. */
function toCompactionUsage(usage: WireUsage): WireUsage {
  return {
    ...usage,
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
    iterations: [toIteration("compaction", usage)],
  };
}

/** The cost of one step of an answer, as an entry of `usage.iterations`. */
function toIteration(type: "compaction" | "message", usage: WireUsage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = usage;
  return {
    type,
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation,
    output_tokens: usage.output_tokens,
  };
}
