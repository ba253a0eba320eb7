import { noUsage } from "../../log/import/read-usage.ts";
import type { Message } from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { soundMessage } from "../../view/projection/sound-message.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import { doubtUsage, type Estimator, featuresOf } from "../../view/tokens/index.ts";
import type { SessionParts } from "../session-parts.ts";

/** What is looked at of an answer. */
export type MeasuredAnswer = Pick<Message, "usage" | "content" | "contextManagement">;

/** Tells usages that can be from those that cannot, by what was asked and answered. */
export interface UsageJudge {
  /** Why the usage of an answer to the session as it stands cannot be believed; `null` where it can. */
  doubt(answer: MeasuredAnswer): string | null;
  /** The message with a usage that can be counted by; what cannot be is kept as it came, and an event says so. */
  settle(message: Message): Message;
}

export interface UsageJudgeParts extends Pick<SessionParts, "state" | "emit"> {
  readonly windowTokens: () => number;
  readonly estimate: Estimator;
}

const notCounts = "What is reported of the tokens are no counts.";

export function createUsageJudge({ state, emit, windowTokens, estimate }: UsageJudgeParts): UsageJudge {
  function doubt({ usage, content: given, contextManagement }: MeasuredAnswer): string | null {
    if (!usage) return null;
    const { content } = soundMessage({ type: "assistant", content: given });
    const hasCompacted = typeof content !== "string" && content.some(isNativeBlock);
    return doubtUsage({
      usage,
      promptEstimate: state.estimated(estimate),
      answerEstimate: estimate(featuresOf(content)).tokens,
      windowTokens: windowTokens(),
      isEdited: hasCompacted || (contextManagement?.applied_edits ?? []).length > 0,
    });
  }

  return {
    doubt,
    settle(message) {
      const { usage, responseId: response, reportedUsage = usage } = message;
      if (roleOf(message) !== "assistant") return message;
      const why = doubt(message) ?? (message.reportedUsage === undefined ? null : notCounts);
      if (why === null) return message;
      emit({ type: "usage-ignored", ...(response !== undefined && { response }), message: why });
      return { ...message, usage: noUsage, reportedUsage };
    },
  };
}
