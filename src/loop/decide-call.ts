import type { HookVerdict, PermissionVerdict, Tool, ToolSubject } from "../spec/index.ts";
import { mergeRules } from "./merge-rules.ts";
import type { Run } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

export interface CallQuestion {
  readonly toolUseId: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** What the hooks before it said. */
  readonly hook: HookVerdict;
}

export type CallDecision =
  | { readonly isAllowed: true /** Real paths it may touch. */; readonly paths?: readonly string[] }
  | { readonly isAllowed: false; readonly reason: string };

/**
 * Whether a call may run: rules and mode first, then hooks, then the person. What a rule denies, nobody allows; where
 * there is nobody to ask, what is not allowed is denied.
 */
export async function decideCall(run: Run, question: CallQuestion): Promise<CallDecision> {
  const { tool, input, hook } = question;
  const { subjects, paths } = await run.setup.resolve(tool.subjectsOf?.(input) ?? []);
  const allowed: CallDecision = { isAllowed: true, ...(paths.length > 0 && { paths }) };
  const { mode, rules } = run;
  const isReadOnly = tool.isReadOnly === true;
  const verdict = run.setup.judge({ tool: tool.name, subjects, isReadOnly, mode, rules });
  const behavior = verdict.behavior === "deny" ? "deny" : (hook.permission ?? verdict.behavior);
  if (behavior === "deny")
    return denied(tool, verdict.behavior === "deny" ? verdict.reason : hookReason(hook));
  const decided = behavior === "allow" ? allowed : await ask(run, question, subjects, verdict, allowed);
  if (decided.isAllowed) run.touched.push(...paths);
  return decided;
}

async function ask(
  run: Run,
  { tool, input, toolUseId }: CallQuestion,
  subjects: readonly ToolSubject[],
  { reason }: PermissionVerdict,
  allowed: CallDecision,
): Promise<CallDecision> {
  const { onPermission } = run.options;
  const hook = await runHooks(run, "PermissionRequest", { toolUseId, tool: tool.name, input, reason });
  if (hook.block !== undefined) return denied(tool, hook.block);
  if (hook.permission === "deny") return denied(tool, hookReason(hook));
  if (hook.permission === "allow") return allowed;
  if (!onPermission) return denied(tool, `${reason} There is nobody to ask: it needs a rule that allows it.`);
  const question = { toolUseId, tool: tool.name, input, subjects, reason };
  run.emit({ type: "permission-ask", question });
  const answer = await onPermission(question, run.signal);
  if (answer.behavior === "deny") return denied(tool, answer.reason ?? "The user has refused it.");
  if (answer.rules) run.rules = mergeRules(run.rules, answer.rules);
  return allowed;
}

function denied({ name }: Tool, reason: string): CallDecision {
  return { isAllowed: false, reason: `${name} was not allowed to run: ${reason}` };
}

const hookReason = ({ reason }: HookVerdict) => reason ?? "A hook has refused it.";
