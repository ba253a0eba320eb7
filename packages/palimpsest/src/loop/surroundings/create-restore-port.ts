import { isAbsolute, resolve } from "node:path";
import type { SessionHandle } from "@palimpsest/core";
import { fail, type Notice, ok, type RestorePort, type Result } from "@palimpsest/core/spec";
import { readTextFile } from "../../tools/files/index.ts";
import type { LoopSetup } from "../run.ts";
import { invokedSkills } from "./invoked-skills.ts";
import { lastingNotices } from "./lasting-notices.ts";

/** Reads what a compaction brings back: files that may be read without asking, and what was told and still holds. */
export function createRestorePort(handle: SessionHandle, setup: LoopSetup): RestorePort {
  const { cwd } = handle;
  return {
    async readFile(path, signal) {
      const allowed = await mayRead(path, setup);
      if (!allowed.ok) return allowed;
      return readTextFile(resolve(cwd, path), signal);
    },
    isExcluded: (path) => setup.isOwnFile?.(isAbsolute(path) ? path : resolve(cwd, path)) ?? false,
    async others(signal) {
      const told = await Promise.all(setup.notices.map((source) => source.restore?.(signal) ?? []));
      const notices = told.flat();
      const view = handle.view();
      const { rules, others } = lastingNotices(view);
      const isTask = ({ subtype }: Notice) => subtype === "task";
      return {
        tasks: notices.filter(isTask),
        skills: invokedSkills(view),
        tools: [...others, ...notices.filter((notice) => !isTask(notice))],
        rules,
      };
    },
  };
}

async function mayRead(path: string, { resolve: resolveSubjects, judge }: LoopSetup): Promise<Result<void>> {
  const { subjects } = await resolveSubjects([{ kind: "path", value: path, access: "read" }]);
  const verdict = judge({ tool: "Read", subjects, isReadOnly: true, mode: "default", rules: {} });
  return verdict.behavior === "allow" ? ok() : fail("denied", "it may not be read without asking");
}
