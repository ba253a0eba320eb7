import type {
  HookVerdict,
  PermissionAnswer,
  PermissionQuestion,
  Tool,
  ToolSubject,
} from "@palimpsest/core/spec";
import { checkRules } from "../tools/permissions/index.ts";
import { mergeRules } from "./merge-rules.ts";
import { orAborted } from "./or-aborted.ts";
import { type Run, warn } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

export interface CallInput {
  readonly toolUseId: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** What the hooks before it said. */
  readonly hook: HookVerdict;
}

export type CallDecision =
  | { readonly isAllowed: true /** Real paths it may touch. */; readonly paths: readonly string[] }
  | { readonly isAllowed: false; readonly reason: string };

/**
 * Whether a call may run: rules and mode first, then hooks, then the person. What a rule denies, nobody allows; where
 * there is nobody to ask, what is not allowed is denied.
 */
export async function decideCall(run: Run, question: CallInput): Promise<CallDecision> {
  const { tool } = question;
  const { subjects, paths } = await run.setup.resolve(subjectsOf(run, question));
  const { behavior, reason } = judged(run, question, subjects);
  if (behavior === "deny") return denied(tool, reason);
  const refusal = behavior === "allow" ? null : await refusalOf(run, question, subjects, reason);
  if (refusal !== null) return denied(tool, refusal);
  for (const path of paths) run.touched.push(path);
  return { isAllowed: true, paths };
}

function subjectsOf({ handle }: Run, { tool, input }: CallInput): readonly ToolSubject[] {
  return tool.subjectsOf?.(input, { id: handle.session.id, cwd: handle.cwd }) ?? [];
}

/** What rules, mode and the hooks before the call say of it. */
function judged(run: Run, { tool, hook }: CallInput, subjects: readonly ToolSubject[]) {
  const { mode, rules } = run;
  const isReadOnly = tool.isReadOnly === true;
  const isTainted = run.handle.view().taint?.trust === "untrusted";
  const verdict = run.setup.judge({ tool: tool.name, subjects, isReadOnly, mode, rules, isTainted });
  if (verdict.behavior === "deny" || hook.permission === undefined) return verdict;
  const reason = hook.permission === "deny" ? hookReason(hook) : (hook.reason ?? verdict.reason);
  return { behavior: hook.permission, reason };
}

/** Why it is not allowed, once hooks and the person were asked; `null` where it is. */
async function refusalOf(
  run: Run,
  call: CallInput,
  subjects: readonly ToolSubject[],
  reason: string,
): Promise<string | null> {
  const { tool, input, toolUseId } = call;
  const hook = await runHooks(run, "PermissionRequest", { toolUseId, tool: tool.name, input, reason });
  if (hook.block !== undefined) return hook.block;
  if (hook.permission === "deny") return hookReason(hook);
  if (hook.permission === "allow") return null;
  if (!run.options.onPermission) return `${reason} There is nobody to ask: it needs a rule that allows it.`;
  const asked = run.asking.then(() => askPerson(run, call, subjects));
  run.asking = asked;
  return asked;
}

/** A person answers one question at a time; what was answered before may have settled this one. Never throws. */
async function askPerson(
  run: Run,
  call: CallInput,
  subjects: readonly ToolSubject[],
): Promise<string | null> {
  const { signal } = run;
  const { behavior, reason } = judged(run, call, subjects);
  if (signal.aborted || behavior === "deny") return reason;
  if (behavior === "allow") return null;
  const { toolUseId, input, tool } = call;
  const question = { toolUseId, tool: tool.name, input, subjects, reason };
  run.emit({ type: "permission-ask", question });
  try {
    return heard(run, await orAborted(put(run, question), signal));
  } catch (cause) {
    return `The user could not be asked: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

async function put({ options, signal }: Run, question: PermissionQuestion) {
  return options.onPermission?.(question, signal);
}

/** Only a plain yes is one. Rules that nobody can read are not added. */
function heard(run: Run, answer: PermissionAnswer | undefined): string | null {
  if (answer?.behavior !== "allow") return answer?.reason ?? "The user has refused it.";
  if (!answer.rules) return null;
  const checked = checkRules(answer.rules);
  if (checked.ok) run.rules = mergeRules(run.rules, answer.rules);
  else warn(run, `The rules of the answer were not added: ${checked.error.message}`);
  return null;
}

function denied({ name }: Tool, reason: string): CallDecision {
  return { isAllowed: false, reason: `${name} was not allowed to run: ${reason}` };
}

const hookReason = ({ reason }: HookVerdict) => reason ?? "A hook has refused it.";
