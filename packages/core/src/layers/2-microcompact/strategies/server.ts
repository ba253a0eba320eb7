import { clearableTools } from "../../../catalog/known-tools.ts";
import { count } from "../../../settings/declare.ts";
import { offByDefault } from "../../../settings/flag.ts";
import { type Facts, isBlock } from "../../../spec/index.ts";
import type { Strategy } from "../strategy.ts";

/** The beta header that context management needs. */
export const contextManagementBeta = "context-management-2025-06-27";

/** How many results the API leaves where it is not told. */
const serverKeep = 3;

const settings = {
  serverTriggerTokens: count(180_000, "input tokens at which server-side clearing starts at the latest"),
  serverMarginTokens: count(5_000, "tokens before automatic compaction at which server-side clearing starts"),
  serverTargetTokens: count(
    40_000,
    "tokens that server-side clearing leaves: it clears at least the trigger minus this",
  ),
  serverThinkingTurns: count(1, "turns whose thinking server-side clearing keeps; 0 keeps all"),
};

const flags = { "clear-server": offByDefault("Lets the API's context management clear tool results.") };

/** The API clears: the view stays as it is, and what was cleared comes back with the response. */
export const clearOnServer: Strategy<typeof settings, typeof flags> = {
  name: "server",
  flags,
  settings,
  isPossible: ({ facts }) => facts.capabilities.contextManagement,
  choose({ view, facts, numbers, unseenFrom }) {
    const trigger = Math.min(
      numbers.serverTriggerTokens,
      Math.max(1, facts.thresholds.auto - numbers.serverMarginTokens),
    );
    const keep =
      numbers.serverThinkingTurns === 0
        ? "all"
        : { type: "thinking_turns", value: numbers.serverThinkingTurns };
    const never = facts.tools.map(({ name }) => name).filter((name) => !clearableTools.has(name));
    const unseen = view.items.slice(unseenFrom).filter(({ block }) => isBlock(block, "tool_result")).length;
    const edits = [
      { type: "clear_thinking_20251015", keep },
      {
        type: "clear_tool_uses_20250919",
        trigger: { type: "input_tokens", value: trigger },
        ...(unseen > serverKeep && { keep: { type: "tool_uses", value: unseen } }),
        clear_at_least: { type: "input_tokens", value: Math.max(0, trigger - numbers.serverTargetTokens) },
        ...(never.length > 0 && { exclude_tools: never }),
      },
    ];
    const request = { context_management: { edits: hasThinking(facts) ? edits : edits.slice(1) } };
    return {
      choice: "ask",
      request: { ...request, betas: [contextManagementBeta] },
      reason: `the API clears results from ${trigger} tokens on`,
    };
  },
};

function hasThinking({ request }: Facts): boolean {
  const thinking = request.thinking as { readonly type?: string } | undefined;
  return thinking !== undefined && thinking.type !== "disabled";
}
