import { resolve } from "node:path";
import { isWithin } from "@palimpsest/core/internal";
import type {
  Disk,
  HookVerdict,
  PermissionAnswer,
  PermissionQuestion,
  PermissionRules,
  PermissionVerdict,
  Tool,
  ToolSubject,
} from "@palimpsest/core/spec";
import { orAborted } from "../signals.ts";
import { resolveSubjects } from "../tools/files/index.ts";
import { memoryToolName } from "../tools/memory/index.ts";
import {
  checkRules,
  decidePermission,
  readFilter,
  readsOfCommand,
  withRealPaths,
} from "../tools/permissions/index.ts";
import { commandReads, isReadOnlyCommand } from "../tools/shell/index.ts";
import { readsOnDisk } from "./reads-on-disk.ts";
import { type CallMatter, type LoopSetup, type Run, warn } from "./run.ts";
import { runHooks } from "./run-hooks.ts";

interface JudgeOptions {
  readonly disk: Disk;
  readonly cwd: string;
  readonly homeFolder: string;
  readonly rules: PermissionRules;
  /** Real paths of the folders the agent works in. */
  readonly workspace: readonly string[];
  /** Real paths that may be read besides. */
  readonly readable?: readonly string[];
  readonly planFile?: string;
  /** Real path of the memory folder, which only the memory tool may change. */
  readonly memoryFolder?: string;
}

/** Decides whether a call may run. Throws where a rule cannot be read. */
export function createJudge(options: JudgeOptions): Pick<LoopSetup, "judge" | "resolve" | "mayRead"> {
  const { disk, cwd, rules, memoryFolder, ...places } = options;
  const checked = checkRules(rules);
  if (!checked.ok) throw checked.error;
  const decide = ({ rules: added, ...matter }: CallMatter) =>
    decidePermission({
      ...matter,
      ...places,
      rules: mergeRules(rules, added),
      isReadOnlyCommand: (command) => isReadOnlyCommand(command) && !isPartWithGit(matter, command),
    });
  return {
    judge: (matter) =>
      (memoryFolder === undefined ? null : decideMemoryAccess(matter, memoryFolder, decide)) ??
      decide(matter),
    mayRead: ({ rules: added, ...walk }) => readFilter({ ...walk, rules: mergeRules(rules, added) }, places),
    async resolve(subjects) {
      const absolute = subjects.map((subject) =>
        subject.kind === "path" ? { ...subject, value: resolve(cwd, subject.value) } : subject,
      );
      const real = await resolveSubjects(absolute, cwd);
      const judged = await withRealPaths(disk, absolute);
      return {
        subjects: await Promise.all(judged.map((subject) => withReads(subject, options))),
        paths: real.filter(({ kind }) => kind === "path").map(({ value }) => value),
      };
    },
  };
}

/**
 * Only a command that changes nothing as a whole runs with the programs of the repository turned off. So git in a part of
 * another command needs a rule of its own.
 */
function isPartWithGit({ subjects }: Pick<CallMatter, "subjects">, command: string): boolean {
  const isWhole = subjects.some(({ value }) => value === command);
  return !isWhole && /\bgit\b/i.test(command.replace(/["'\\]/g, ""));
}

/** A command with what it would read, and where that really leads. */
async function withReads(
  subject: ToolSubject,
  { disk, cwd, homeFolder }: JudgeOptions,
): Promise<ToolSubject> {
  if (subject.kind !== "command") return subject;
  const { reads: named, mayReadMore } = readsOfCommand(subject.value, commandReads);
  const reads = await readsOnDisk(named, { disk, folder: subject.folder ?? cwd, homeFolder });
  return { ...subject, reads, ...(mayReadMore && { mayReadMore }) };
}

/**
 * The decision about calls that touch the memory folder. The memory tool reads and writes it without asking, as far as
 * no rule and no mode is against it: `plan` denies its writes, `ask` asks for them. Every other tool is kept from
 * writing there, in every mode: what it wrote would not have been looked at. `null`: the call does not concern memory.
 */
export function decideMemoryAccess(
  matter: CallMatter,
  folder: string,
  decide: (matter: CallMatter) => PermissionVerdict,
): PermissionVerdict | null {
  const { tool, subjects } = matter;
  const isInside = ({ kind, value, realPath }: ToolSubject) =>
    kind === "path" &&
    (isWithin(value, folder) || (typeof realPath === "string" && isWithin(realPath, folder)));
  const inside = subjects.filter(isInside);
  if (inside.length === 0) return null;
  const isWriting = inside.some(({ access }) => access !== "read");
  if (tool !== memoryToolName) {
    if (!isWriting) return null;
    const reason = `Memories are changed with the ${memoryToolName} tool only (path /memories/…), so that they are looked at before they are kept.`;
    return { behavior: "deny", reason };
  }
  const verdict = decide({ ...matter, isReadOnly: !isWriting });
  const isOpen =
    verdict.behavior === "ask" && verdict.rule === undefined && !(isWriting && matter.mode === "ask");
  if (!isOpen || inside.length < subjects.length) return verdict;
  return { behavior: "allow", reason: isWriting ? "It writes memory." : "It reads memory." };
}

interface CallInput {
  readonly toolUseId: string;
  readonly tool: Tool;
  readonly input: unknown;
  /** The verdict of the hooks before it. */
  readonly hook: HookVerdict;
}

type CallDecision =
  | { readonly isAllowed: true /** Real paths it may touch. */; readonly paths: readonly string[] }
  | { readonly isAllowed: false; readonly reason: string };

/**
 * Whether a call may run: rules and mode first, then hooks, then the person. What a rule denies, nobody allows; where
 * there is nobody to ask, what is not allowed is denied.
 */
export async function decideCall(run: Run, input: CallInput): Promise<CallDecision> {
  const { tool } = input;
  const { subjects, paths } = await run.setup.resolve(subjectsOf(run, input));
  const { behavior, reason } = judgeCall(run, input, subjects);
  if (behavior === "deny") return denyCall(tool, reason);
  const refusal = behavior === "allow" ? null : await refusalOf(run, input, subjects, reason);
  if (refusal !== null) return denyCall(tool, refusal);
  for (const path of paths) run.touched.push(path);
  return { isAllowed: true, paths };
}

function subjectsOf({ handle }: Run, { tool, input }: CallInput): readonly ToolSubject[] {
  return tool.subjectsOf?.(input, { id: handle.session.id, cwd: handle.cwd }) ?? [];
}

/** The verdict of rules, mode and the hooks before the call. */
function judgeCall(run: Run, { tool, hook }: CallInput, subjects: readonly ToolSubject[]) {
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
  const { behavior, reason } = judgeCall(run, call, subjects);
  if (signal.aborted || behavior === "deny") return reason;
  if (behavior === "allow") return null;
  const { toolUseId, input, tool } = call;
  const question = { toolUseId, tool: tool.name, input, subjects, reason };
  run.emit({ type: "permission-ask", question });
  try {
    return acceptAnswer(run, await orAborted(put(run, question), signal));
  } catch (cause) {
    return `The user could not be asked: ${cause instanceof Error ? cause.message : String(cause)}`;
  }
}

async function put({ options, signal }: Run, question: PermissionQuestion) {
  return options.onPermission?.(question, signal);
}

/** Only a plain yes is one. Rules that nobody can read are not added. */
function acceptAnswer(run: Run, answer: PermissionAnswer | undefined): string | null {
  if (answer?.behavior !== "allow") return answer?.reason ?? "The user has refused it.";
  if (!answer.rules) return null;
  const checked = checkRules(answer.rules);
  if (checked.ok) run.rules = mergeRules(run.rules, answer.rules);
  else warn(run, `The rules of the answer were not added: ${checked.error.message}`);
  return null;
}

function denyCall({ name }: Tool, reason: string): CallDecision {
  return { isAllowed: false, reason: `${name} was not allowed to run: ${reason}` };
}

const hookReason = ({ reason }: HookVerdict) => reason ?? "A hook has refused it.";

/** All rules of both. */
export function mergeRules(one: PermissionRules, other: PermissionRules): PermissionRules {
  return {
    allow: [...(one.allow ?? []), ...(other.allow ?? [])],
    ask: [...(one.ask ?? []), ...(other.ask ?? [])],
    deny: [...(one.deny ?? []), ...(other.deny ?? [])],
  };
}
