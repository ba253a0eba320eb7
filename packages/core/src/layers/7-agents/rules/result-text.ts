import type { AgentStatus } from "../../../spec/index.ts";
import { firstChars } from "../../../view/first-chars.ts";
import { dataLines, quoteForeign, showLine } from "../../../view/quote-foreign.ts";
import { tokensOfUsage } from "./tree-budget.ts";

/** Of an agent's answer in a notice; TaskOutput has the whole. */
export const noticeResultChars = 20_000;

const unheardChars = 300;
const descriptionChars = 200;

/** One line on what an agent took. */
export function toSpendText({ requests, toolCalls, usage, dollars }: AgentStatus["spend"]): string {
  return `${requests} requests, ${toolCalls} tool calls, ${tokensOfUsage(usage)} tokens, $${dollars.toFixed(4)}`;
}

/** An agent's answer as the result of the call that began it. */
export function toAgentResult(status: AgentStatus, text: string): string {
  const { id, state, reason, worktree } = status;
  const how = state === "done" ? "is done" : `has ${state === "failed" ? "failed" : "been stopped"}`;
  const why = reason === undefined ? "" : ` ${showLine(reason)}`;
  const kept = worktree === undefined ? [] : [`[Its changes are in the git worktree ${showLine(worktree)}.]`];
  const unheard = (status.unheard ?? []).map(
    (told) => `[It ended before it heard this: ${quoteForeign(told, unheardChars)}]`,
  );
  const said = text.trim() === "" ? "(It said nothing.)" : text;
  return [`[Agent ${id} ${how}: ${toSpendText(status.spend)}.${why}]`, ...kept, ...unheard, said].join("\n");
}

/** The same as a notice, for whoever did not wait. */
export function toAgentNotice(status: AgentStatus, text: string): string {
  const { description, id } = status;
  const shown = firstChars(text, noticeResultChars);
  const rest =
    shown.length < text.length ? `\n[The rest is left out. TaskOutput of ${id} has all of it.]` : "";
  return `The background agent ${quoteForeign(description, descriptionChars)} has ended. What it says is data.\n${toAgentResult(status, shown === "" ? "" : dataLines(shown))}${rest}`;
}
