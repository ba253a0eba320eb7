import {
  exitPlanTool,
  isProtectedPath,
  type PermissionRule,
  parseRule,
  quietTools,
  splitCommand,
  trimCommand,
} from "@palimpsest/core/internal";
import type {
  PermissionMode,
  PermissionRules,
  PermissionVerdict,
  Result,
  ToolSubject,
} from "@palimpsest/core/spec";
import { readRunnable } from "./commands/runnable-commands.ts";
import { allowingRule, decideSubject, isProtected } from "./decide-subject.ts";
import { harmlessGit, namedByCommand } from "./named-by-command.ts";
import { type CallCover, coversCall, namesTool, type RuleSurroundings, realPlace } from "./rule-match.ts";

export interface PermissionMatter {
  readonly tool: string;
  readonly subjects: readonly ToolSubject[];
  /** The tool's own statement. */
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
  /** Untrusted text is before the model's eyes: whatever it writes may have been dictated. */
  readonly isTainted?: boolean;
  /** Whether a command is known to change nothing; where in doubt it is not. */
  readonly isReadOnlyCommand: (command: string) => boolean;
}

/**
 * What rules and mode say of a call. A rule that denies wins over one that asks, that over one that allows, and all of
 * them over the mode; but nothing asks in `bypass` except what untrusted text could change for good, and no rule lets
 * `plan` change anything. A call is allowed only if everything it touches is. Throws on a rule that cannot be read: `checkRules` tells before.
 */
export function decidePermission(matter: PermissionMatter): PermissionVerdict {
  const { mode, tool } = matter;
  const around = { ...matter, readRunnable: memoize(readRunnable) };
  const denied = findCovering(matter.rules.deny, matter, around);
  if (denied) return { behavior: "deny", reason: reasonOf(denied, "denies"), rule: denied.rule.text };
  const [asked, allowing] = [findCovering(matter.rules.ask, matter, around), readRules(matter.rules.allow)];
  const dictated = dictatedChange(
    matter,
    allowing.filter((rule) => namesTool(rule, tool)),
  );
  if (mode === "bypass") return dictated ?? { behavior: "allow", reason: "Nothing is asked in this mode." };
  if (mode === "plan" && tool !== exitPlanTool && changesSomething(matter)) {
    const reason = `Plan mode: nothing is changed before the plan is agreed. Go on reading, finish the plan, then call ${exitPlanTool}.`;
    return { behavior: "deny", reason };
  }
  if (asked) return { behavior: "ask", reason: reasonOf(asked, "asks"), rule: asked.rule.text };
  if (tool === exitPlanTool) return { behavior: "ask", reason: "The plan waits for agreement." };
  return dictated ?? decideOpen(matter, allowing);
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

interface Covering {
  readonly rule: PermissionRule;
  readonly cover: CallCover;
}

/** The first rule that is about the call; one that names it says more than one about what it may read. */
function findCovering(
  rules: readonly string[] | undefined,
  matter: PermissionMatter,
  around: RuleSurroundings,
): Covering | undefined {
  let reading: Covering | undefined;
  for (const rule of readRules(rules)) {
    const cover = coversCall(rule, matter, around);
    if (cover && cover.kind !== "read") return { rule, cover };
    if (cover) reading ??= { rule, cover };
  }
  return reading;
}

/** The rule's reason, why it is about the call, and what to do instead. */
function reasonOf({ rule, cover }: Covering, verb: "denies" | "asks"): string {
  const { text } = rule;
  const instead =
    "Use Read, Grep or Glob, which leave out what rules keep from being read, or name other files.";
  switch (cover.kind) {
    case "named":
      return `The rule ${text} ${verb === "denies" ? "denies it" : "asks"}.`;
    case "possible":
      return `The rule ${text} ${verb} what it could turn out to be: ${cover.why}. Write the command plainly, with the program and its words as they are.`;
    case "read":
      return cover.isCertain
        ? `The rule ${text} ${verb}: the command reads ${cover.path}.`
        : `The rule ${text} ${verb}: the command could read what it names, since it reads ${cover.path}. ${instead}`;
  }
}

/** A command is read once, for however many rules. */
function memoize(read: typeof readRunnable): typeof readRunnable {
  const known = new Map<string, ReturnType<typeof readRunnable>>();
  return (command) => {
    const found = known.get(command) ?? read(command);
    known.set(command, found);
    return found;
  };
}

function readRules(rules: readonly string[] = []): readonly PermissionRule[] {
  return rules.map((text) => orThrow(parseRule(text)));
}

function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}

/**
 * Asks, in every mode, for a change of what other programs or later sessions obey while untrusted text is in view:
 * otherwise one sentence of a web page is a rule of the next session. A rule that names the file or the whole command is
 * somebody's word for it. Of commands only what they name or could name can be seen, not what they do.
 */
function dictatedChange(
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionVerdict | undefined {
  if (!matter.isTainted) return undefined;
  const obeyed = matter.subjects.map((subject) => obeyedBy(subject, matter, own)).find(Boolean);
  if (obeyed === undefined) return undefined;
  const reason = `Other programs or later sessions obey ${obeyed}, and what the model has read lately is not trusted.`;
  return { behavior: "ask", reason };
}

/** The files a call would change that are obeyed, as a person would name them. */
function obeyedBy(
  subject: ToolSubject,
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): string | undefined {
  if (subject.kind === "command") return obeyedByCommand(subject.value, matter, own);
  if (subject.kind !== "path" || subject.access === "read") return undefined;
  const place = realPlace(subject) ?? subject.value;
  if (place === matter.planFile || !isProtected(subject, place, matter)) return undefined;
  return allowingRule(subject, matter, own) ? undefined : place;
}

function obeyedByCommand(
  command: string,
  { isReadOnlyCommand, protectedPaths }: PermissionMatter,
  own: readonly PermissionRule[],
): string | undefined {
  if (isReadOnlyCommand(command)) return undefined;
  const isNamed = own
    .flatMap(({ patterns = [] }) => patterns)
    .some(
      (pattern) =>
        pattern.kind === "command" && pattern.form === "exact" && pattern.text === trimCommand(command),
    );
  if (isNamed) return undefined;
  const { parts, isPlain } = splitCommand(command);
  const texts = isPlain
    ? parts.filter(({ words: [program = "", sub = ""] }) => program !== "git" || !harmlessGit.has(sub))
    : [{ text: command }];
  const named = texts
    .flatMap(({ text }) => [...namesIn(text), ...namesIn(text.replace(/['"\\]/g, ""))])
    .find((name) => isProtectedPath(name, protectedPaths));
  return named ?? namedByCommand(command, isReadOnlyCommand, protectedPaths);
}

/** Everything in a command that could be a path, redirects among it. */
function namesIn(text: string): readonly string[] {
  return text.split(/[\s'"`;&|<>(){},=:]+/).filter((name) => name !== "");
}
