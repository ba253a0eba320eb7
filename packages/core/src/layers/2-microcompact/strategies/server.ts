import { clearableTools } from "../../../catalog/known-tools.ts";
import { type Facts, isBlock } from "../../../spec/index.ts";
import type { Strategy } from "../strategy.ts";

/** The beta header that context management needs. */
export const contextManagementBeta = "context-management-2025-06-27";

/** How many results the API leaves where it is not told. */
const serverKeep = 3;

/** The API clears: the view stays as it is, and what was cleared comes back with the response. */
export const clearOnServer = {
  name: "server",
  flag: {
    name: "clear-server",
    default: false,
    description: "Lets the API's context management clear tool results.",
  },
  settings: {
    serverTriggerTokens: {
      default: 180_000,
      least: 0,
      description: "input tokens at which server-side clearing starts at the latest",
    },
    serverMarginTokens: {
      default: 5_000,
      least: 0,
      description: "tokens before automatic compaction at which it starts",
    },
    serverTargetTokens: {
      default: 40_000,
      least: 0,
      description: "tokens that server-side clearing leaves: it clears at least the trigger minus this",
    },
    serverThinkingTurns: {
      default: 1,
      least: 0,
      description: "turns whose thinking server-side clearing keeps; 0 keeps all",
    },
  },
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
} satisfies Strategy;

function hasThinking({ request }: Facts): boolean {
  const thinking = request.thinking as { readonly type?: string } | undefined;
  return thinking !== undefined && thinking.type !== "disabled";
}
