import type { ContextUsage, TokenCount } from "../../spec/index.ts";
import { account } from "../../view/accounting/index.ts";
import { tokensLeft } from "../../view/cache-edits.ts";
import { type Calibration, featuresOf } from "../../view/tokens/index.ts";
import { judgeUsage, withHeadRoom } from "../../view/window/window.ts";
import type { WindowThresholds } from "../../view/window/window-thresholds.ts";
import type { RequestHead } from "../head/request-head.ts";
import type { SessionState } from "../session-state.ts";

export interface UsageInput {
  readonly state: SessionState;
  readonly head: RequestHead;
  readonly calibration: Calibration;
  readonly thresholds: WindowThresholds;
  readonly count: TokenCount;
  readonly assumptions: ContextUsage["assumptions"];
}

/**
 * How full the window is, and with what: as `session.usage()` and the `/context` picture show it. The categories add up
 * to the count: estimates say only how it is shared out.
 */
export function contextUsage(input: UsageInput): ContextUsage {
  const { state, head, calibration, count } = input;
  const { tokens: headTokens } = state.headTokens((features) => calibration.estimate(head.model, features));
  const thresholds = withHeadRoom(input.thresholds, headTokens);
  const { window, effective, auto, warning, error, blocking } = thresholds;
  const judged = judgeUsage(thresholds, count.tokens);
  return {
    count,
    thresholds: { window, effective, auto, warning, error, blocking },
    percentLeft: judged.percentLeft,
    level: levelOf(judged),
    assumptions: input.assumptions,
    accounting: account(state.items, {
      estimate: tokensLeft(
        state.items,
        (block) => calibration.estimate(head.model, featuresOf(block)).tokens,
      ),
      messageOf: state.messageOf,
      thresholds,
      counted: { totalTokens: count.tokens, headTokens },
      system: head.system,
      tools: head.tools,
    }),
  };
}

function levelOf(judged: ReturnType<typeof judgeUsage>): ContextUsage["level"] {
  if (judged.isBlocking) return "blocking";
  if (judged.isAuto) return "auto";
  if (judged.isError) return "error";
  return judged.isWarning ? "warning" : "fine";
}
