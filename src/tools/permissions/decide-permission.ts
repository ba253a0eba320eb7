import type {
  PermissionMode,
  PermissionRules,
  PermissionVerdict,
  Result,
  ToolSubject,
} from "../../spec/index.ts";
import { decideSubject } from "./decide-subject.ts";
import { type PermissionRule, parseRule } from "./parse-rule.ts";
import { coversCall, namesTool } from "./rule-match.ts";
import { exitPlanTool, quietTools } from "./tool-families.ts";

export interface PermissionMatter {
  readonly tool: string;
  readonly subjects: readonly ToolSubject[];
  /** What the tool says of itself. */
  readonly isReadOnly?: boolean;
  readonly mode: PermissionMode;
  /** Of all settings files, options and answers together. */
  readonly rules: PermissionRules;
  /** Real, absolute paths of the folders that the agent works in. */
  readonly workspace: readonly string[];
  readonly homeFolder: string;
  /** Real, absolute paths that may be read besides: where results of tools are kept. */
  readonly readable?: readonly string[];
  /** Absolute paths that are protected besides the usual ones. */
  readonly protectedPaths?: readonly string[];
  /** The file that may be written while a plan is made. */
  readonly planFile?: string;
  /** Whether a command is known to change nothing; where in doubt it is not. */
  readonly isReadOnlyCommand: (command: string) => boolean;
}

/**
 * What rules and mode say of a call. A rule that denies wins over one that asks, that over one that allows, and all of
 * them over the mode; but nothing asks in `bypass`, and no rule lets `plan` change anything. A call is allowed only if
 * everything it touches is. Throws on a rule that cannot be read: `checkRules` tells before.
 */
export function decidePermission(matter: PermissionMatter): PermissionVerdict {
  const { mode, tool } = matter;
  const denied = covering(matter.rules.deny, matter);
  if (denied) return { behavior: "deny", reason: `The rule ${denied.text} denies it.`, rule: denied.text };
  const [asked, allowing] = [covering(matter.rules.ask, matter), readRules(matter.rules.allow)];
  if (mode === "bypass") return { behavior: "allow", reason: "Nothing is asked in this mode." };
  if (mode === "plan" && tool !== exitPlanTool && changesSomething(matter)) {
    const reason = `Plan mode: nothing is changed before the plan is agreed. Go on reading, finish the plan, then call ${exitPlanTool}.`;
    return { behavior: "deny", reason };
  }
  if (asked) return { behavior: "ask", reason: `The rule ${asked.text} asks.`, rule: asked.text };
  if (tool === exitPlanTool) return { behavior: "ask", reason: "The plan waits for agreement." };
  return decideOpen(matter, allowing);
}

/** Where no rule says no. */
function decideOpen(matter: PermissionMatter, rules: readonly PermissionRule[]): PermissionVerdict {
  const own = rules.filter((rule) => namesTool(rule, matter.tool));
  if (matter.subjects.length === 0) return decideTool(matter, own);
  const verdicts = matter.subjects.map((subject) => decideSubject(subject, matter, own));
  const [first = { behavior: "ask", reason: `${matter.tool} touches nothing known.` }] = verdicts;
  return (
    verdicts.find(({ behavior }) => behavior === "ask") ??
    verdicts.find(({ rule }) => rule !== undefined) ??
    first
  );
}

function decideTool(
  { tool, isReadOnly }: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionVerdict {
  const rule = own.find(({ patterns }) => patterns === undefined);
  if (rule) return { behavior: "allow", reason: `The rule ${rule.text} allows it.`, rule: rule.text };
  if (quietTools.includes(tool))
    return { behavior: "allow", reason: "It touches nothing but the conversation." };
  if (isReadOnly) return { behavior: "allow", reason: "It changes nothing." };
  return { behavior: "ask", reason: `${tool} may change something.` };
}

/** As far as the call tells; where in doubt it does. */
function changesSomething(matter: PermissionMatter): boolean {
  const { tool, subjects, isReadOnly = false, isReadOnlyCommand, planFile } = matter;
  if (quietTools.includes(tool)) return false;
  const writes = subjects.filter(({ access }) => access === "write");
  const commands = subjects.filter(({ kind, access }) => kind === "command" || access === "execute");
  const isPlan = ({ kind, value, realPath }: ToolSubject) =>
    kind === "path" && value === planFile && (realPath === undefined || realPath === planFile);
  if (writes.some((subject) => !isPlan(subject))) return true;
  if (commands.some(({ kind, value }) => kind !== "command" || !isReadOnlyCommand(value))) return true;
  return writes.length + commands.length === 0 && !isReadOnly;
}

function covering(
  rules: readonly string[] | undefined,
  matter: PermissionMatter,
): PermissionRule | undefined {
  return readRules(rules).find((rule) => coversCall(rule, matter, matter));
}

function readRules(rules: readonly string[] = []): readonly PermissionRule[] {
  return rules.map((text) => orThrow(parseRule(text)));
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}
