import { isObject, textOf } from "../../log/import/json-value.ts";
import type { Message, PlanRecord } from "../../spec/index.ts";
import { planAttachments } from "./known-tools.ts";
import type { ToolPurpose } from "./tool-call.ts";
import { contentText } from "./user-words.ts";

/** What Claude Code writes into the result where it read the plan from a file. */
const approvedPlan = "## Approved Plan:\n";
/** How Claude Code's tool says where the plan is, and how ours does. */
const savedTo = /^(?:Your plan has been saved to|The plan is saved in): (.+)$/m;

/** The plan that a call left plan mode with, from its input, else from its result; `null` where neither has it. */
export function approvedPlanRecord(
  call: Extract<ToolPurpose, { readonly purpose: "plan" }>,
  result: string,
): PlanRecord | null {
  const at = result.indexOf(approvedPlan);
  const text = call.text ?? (at === -1 ? undefined : result.slice(at + approvedPlan.length));
  const path = call.path ?? savedTo.exec(result)?.[1];
  return text === undefined ? null : toPlan(text, path);
}

/** The plan that an attachment brings: its text, or what Claude Code's JSON about a plan file says. */
export function attachedPlanRecord(message: Message): PlanRecord | null {
  if (!planAttachments.has(message.subtype ?? "")) return null;
  const text = contentText(message.content);
  const reference = text.startsWith("{") ? parse(text) : undefined;
  const plan = isObject(reference) ? textOf(reference, "planContent") : undefined;
  if (isObject(reference) && plan !== undefined) return toPlan(plan, textOf(reference, "planFilePath"));
  return text.trim() === "" ? null : { text };
}

function toPlan(text: string, path: string | undefined): PlanRecord {
  return { text, ...(path !== undefined && { path }) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
