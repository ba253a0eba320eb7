import type { CacheLook } from "../cache/prompt-cache.ts";
import { measureOutput, measurePrompt } from "../request/measure-prompt.ts";
import type { Answer, AnswerBlock } from "../script/answer.ts";
import { signThinking } from "../thinking/sign-thinking.ts";
import type { MeasuredPrompt, WireUsage } from "../wire.ts";
import type { Emulation } from "./emulation.ts";
import type { Acceptance } from "./judge-request.ts";
import { type ShapedAnswer, shapeAnswer } from "./shape-answer.ts";
import { isCompaction, toCompaction, toCompactionUsage, toIteration } from "./to-compaction.ts";
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
