import { resolve } from "node:path";
import type { Disk, PermissionRules } from "../spec/index.ts";
import { resolveSubjects } from "../tools/files/index.ts";
import { checkRules, decidePermission, withRealPaths } from "../tools/permissions/index.ts";
import { isReadOnlyCommand } from "../tools/shell/index.ts";
import { decideMemoryAccess } from "./decide-memory-access.ts";
import { mergeRules } from "./merge-rules.ts";
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
export function createJudge(options: JudgeOptions): Pick<LoopSetup, "judge" | "resolve"> {
  const { disk, cwd, rules, memoryFolder, ...places } = options;
  const checked = checkRules(rules);
  if (!checked.ok) throw checked.error;
  const decide = ({ rules: added, ...matter }: CallMatter) =>
    decidePermission({ ...matter, ...places, rules: mergeRules(rules, added), isReadOnlyCommand });
  return {
    judge: (matter) =>
      (memoryFolder === undefined ? null : decideMemoryAccess(matter, memoryFolder, decide)) ??
      decide(matter),
    async resolve(subjects) {
      const absolute = subjects.map((subject) =>
        subject.kind === "path" ? { ...subject, value: resolve(cwd, subject.value) } : subject,
      );
      const real = await resolveSubjects(absolute, cwd);
      return {
        subjects: await withRealPaths(disk, absolute),
        paths: real.filter(({ kind }) => kind === "path").map(({ value }) => value),
      };
    },
  };
}
