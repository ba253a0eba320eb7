import { promptTokens } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock } from "@palimpsest/core/spec";
import {
  isSameModel,
  type RecordedRequest,
  type RecordedSession,
  type RecordedStep,
  stepsInForce,
} from "../recorded-session.ts";
import { createPromptContent, forgetsThinking } from "./prompt-content.ts";
import { createSeenFiles } from "./seen-files.ts";

/** A recorded prompt's estimate, before anything is fitted. */
export interface PromptEstimate {
  /** Its messages. */
  readonly messages: number;
  /** Tokens the recorded harness had put there without a line in the file. */
  readonly unrecorded: number;
  /** It was much smaller than the one before, and nothing in the file says why. */
  readonly isUnexplained: boolean;
}

/** A recorded prompt that is so much smaller than the one before it was cut by something. */
const cutPart = 0.9;

/**
 * Follows a session request by request: compactions with the files that Claude Code brings back behind them and loses
 * when it is started again, results it cleared, and thinking that the API leaves out.
 */
export function estimatePrompts(session: RecordedSession): readonly PromptEstimate[] {
  const content = createPromptContent();
  const files = createSeenFiles();
  let unrecorded = 0;
  let former: { readonly recorded: number; readonly segment: number; readonly model: string } | null = null;

  function enter(request: RecordedRequest): void {
    const { before, clearedResults, isResumed, model } = request;
    for (const step of before) if (step.kind === "message") files.see(step.content);
    const steps = stepsInForce(request);
    const [first] = steps;
    if (first?.kind === "boundary") {
      content.empty();
      const isSilent = first.decision.strategy === "claude-code" && !session.hasAttachments;
      unrecorded = isSilent ? files.restoredTokens() : 0;
    }
    if (isResumed) unrecorded = 0;
    content.clear(clearedResults);
    if (forgetsThinking(model) && beginsTurn(steps)) content.forgetThinking();
    for (const step of steps) content.add(stepBlocks(step));
  }

  /** Whether a cut is left that nothing explains. A cut between a call and its result's answer is Claude Code's clearing. */
  function isCutUnexplained(request: RecordedRequest, recorded: number, lostTokens: number): boolean {
    const { segment, model, clearedResults } = request;
    if (former?.segment !== segment || !isSameModel(former.model, model)) return false;
    if (recorded >= former.recorded * cutPart || clearedResults.length > 0 || lostTokens > 0) return false;
    if (beginsTurn(stepsInForce(request))) return true;
    content.clearOldest();
    return false;
  }

  return session.requests.map((request) => {
    const { segment, model, usage, response } = request;
    const unrecordedBefore = unrecorded;
    enter(request);
    const recorded = usage ? promptTokens(usage) : 0;
    const lostTokens = Math.max(0, unrecordedBefore - unrecorded);
    const isUnexplained = recorded > 0 && isCutUnexplained(request, recorded, lostTokens);
    const estimate = { messages: content.tokens, unrecorded, isUnexplained };
    if (recorded > 0) former = { recorded, segment, model };
    files.see(response.content);
    content.add(response.content);
    return estimate;
  });
}

function beginsTurn(steps: readonly RecordedStep[]): boolean {
  return steps.some((step) => stepBlocks(step).some((block) => !isBlock(block, "tool_result")));
}

function stepBlocks(step: RecordedStep): readonly ContentBlock[] {
  if (step.kind === "message") return step.content;
  const { summary, attachments } = step.decision;
  return [...(summary ? [summary] : []), ...attachments].flatMap(({ content }) =>
    typeof content === "string" ? [{ type: "text", text: content } as const] : content,
  );
}
