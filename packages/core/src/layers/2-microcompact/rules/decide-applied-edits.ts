import type { Verdict, View } from "../../../spec/index.ts";
import { clearableParts } from "../../../view/clearing/clearable-parts.ts";
import type { MicrocompactCommand } from "../command.ts";
import { resultsIn } from "../strategy.ts";

/** As the API reports an edit of tool uses. */
interface AppliedClearing {
  readonly type: "clear_tool_uses_20250919";
  readonly cleared_tool_uses: number;
  readonly cleared_input_tokens: number;
}

/**
 * After a response: what the API has cleared is recorded. The view stays as it is; the response's own usage says what is
 * left, so nothing is freed on top of it.
 */
export function decideAppliedEdits(
  view: View,
  appliedEdits: readonly unknown[],
  logAddress: string | undefined,
): Verdict<MicrocompactCommand> {
  const clearing = appliedEdits.find(isClearing);
  if (!clearing || clearing.cleared_tool_uses === 0)
    return { verdict: "skip", reason: "the API has cleared nothing" };
  const results = resultsIn(clearableParts(view.items, logAddress)).slice(0, clearing.cleared_tool_uses);
  const basis = view.head;
  const reason = `the API cleared ${clearing.cleared_tool_uses} results, ${clearing.cleared_input_tokens} tokens`;
  const command = { applied: clearing, toolUseIds: results.map(({ toolUseId }) => toolUseId), reason, basis };
  return { verdict: "act", command, run: "inline", reason, frees: 0, basis };
}

function isClearing(edit: unknown): edit is AppliedClearing {
  if (typeof edit !== "object" || edit === null) return false;
  const { type, cleared_tool_uses: uses, cleared_input_tokens: tokens } = edit as Record<string, unknown>;
  return type === "clear_tool_uses_20250919" && typeof uses === "number" && typeof tokens === "number";
}
