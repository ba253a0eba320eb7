import { resolve } from "node:path";
import { isWithin } from "@palimpsest/core/internal";
import type { Disk, PermissionRules, PermissionVerdict, ToolSubject } from "@palimpsest/core/spec";
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
import { mergeRules } from "./merge-rules.ts";
import { readsOnDisk } from "./reads-on-disk.ts";
import type { CallMatter, LoopSetup } from "./run.ts";

export interface JudgeOptions {
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

/** What says whether a call may run. Throws where a rule cannot be read. */
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
 * What is said of calls that touch the memory folder. The memory tool reads and writes it without asking, as far as no
 * rule and no mode is against it: `plan` denies its writes, `ask` asks for them. Every other tool is kept from writing there, in every mode: what it wrote would not
 * have been looked at. `null`: the call does not concern memory.
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
