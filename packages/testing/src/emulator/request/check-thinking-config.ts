import type { RequestContext, WireBody } from "../wire.ts";
import type { Report } from "./report.ts";
import { isRecord, toText } from "./wire-values.ts";

const minBudgetTokens = 1_024;
/** With this header one budget serves a whole tool loop and may be larger than one answer. */
const interleavedBeta = "interleaved-thinking-2025-05-14";
const knownTypes = ["adaptive", "between_tools", "disabled", "enabled"];
const displays = ["omitted", "summarized", "updates"];

/** The `thinking` parameter, and what may not stand beside it. */
export function checkThinkingConfig(body: WireBody, { betas }: RequestContext, report: Report): void {
  const { thinking } = body;
  if (thinking === undefined) return;
  const say = (path: string, sentence: string) => report("thinking-config", path, sentence);
  if (!isRecord(thinking)) {
    say("thinking", "Input should be a valid dictionary");
    return;
  }
  if (!knownTypes.includes(toText(thinking.type))) {
    const expected = knownTypes.map((type) => `'${type}'`).join(", ");
    say(
      "thinking",
      `Input tag '${toText(thinking.type)}' found using 'type' does not match any of the expected tags: ${expected}`,
    );
    return;
  }
  if (thinking.type === "enabled") checkBudget(thinking.budget_tokens, body.max_tokens, betas, say);
  const { display } = thinking;
  if (display !== undefined && display !== null && !displays.includes(toText(display)))
    say("thinking.display", `Input should be ${displays.map((name) => `'${name}'`).join(", ")}`);
  checkBinding(thinking.block_binding, say);
  if (thinking.type === "enabled" || thinking.type === "adaptive") checkCompanions(body, report);
}

type ReportViolation = (path: string, sentence: string) => void;

function checkBudget(
  budget: unknown,
  maxTokens: unknown,
  betas: ReadonlySet<string>,
  say: ReportViolation,
): void {
  const path = "thinking.enabled.budget_tokens";
  if (budget === undefined) say(path, "Field required");
  else if (typeof budget !== "number" || !Number.isInteger(budget))
    say(path, "Input should be a valid integer");
  else if (budget < minBudgetTokens) say(path, `Input should be greater than or equal to ${minBudgetTokens}`);
  else if (typeof maxTokens === "number" && budget >= maxTokens && !betas.has(interleavedBeta))
    say("max_tokens", "`max_tokens` must be greater than `thinking.budget_tokens`.");
}

function checkBinding(binding: unknown, say: ReportViolation): void {
  if (binding === undefined || binding === null) return;
  if (!isRecord(binding)) {
    say("thinking.block_binding", "Input should be a valid dictionary");
    return;
  }
  const { prefix_mismatch_behavior: behavior } = binding;
  if (behavior !== undefined && behavior !== null && behavior !== "error" && behavior !== "drop_block")
    say("thinking.block_binding.prefix_mismatch_behavior", "Input should be 'error' or 'drop_block'");
}

/** A model that thinks samples its own way and cannot be forced to call a tool. */
function checkCompanions({ temperature, top_k: topK, tool_choice: choice }: WireBody, report: Report): void {
  if (typeof temperature === "number" && temperature !== 1)
    report("thinking-companions", "temperature", "may only be set to 1 when thinking is enabled.");
  if (typeof topK === "number")
    report("thinking-companions", "top_k", "must be unset when thinking is enabled.");
  if (isRecord(choice) && (choice.type === "any" || choice.type === "tool"))
    report(
      "thinking-companions",
      "tool_choice",
      "Thinking may not be enabled when tool_choice forces tool use.",
    );
}
