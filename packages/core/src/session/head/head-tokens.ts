import type { TokenCount } from "../../spec/index.ts";
import type { SessionParts } from "../session-parts.ts";

/** Tokens of a session's system prompt and tools, as its count, its layers and its accounting have them. */
export function headTokensOf({
  state,
  head,
  rates,
}: Pick<SessionParts, "state" | "head" | "rates">): TokenCount {
  return state.headTokens((features) => rates.calibration.estimate(head.model, features));
}
