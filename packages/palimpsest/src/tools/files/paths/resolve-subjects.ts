import { resolve } from "node:path";
import type { ToolSubject } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import { nodeFileSystem } from "../disk/node-file-system.ts";
import { resolvePath } from "./resolve-path.ts";

/**
 * What a call truly touches, for permission: every path absolute and real, so that a link inside the workspace which
 * leads out of it is judged by where it leads. A path that cannot be resolved stays absolute; running the tool refuses it.
 * Hand the paths on as `allowedPaths`: a tool touches nothing that has come to lead elsewhere since.
 */
export function resolveSubjects(
  subjects: readonly ToolSubject[],
  cwd: string,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<readonly ToolSubject[]> {
  return Promise.all(
    subjects.map(async (subject) => {
      if (subject.kind !== "path") return subject;
      const real = await resolvePath(fileSystem, subject.value, cwd);
      return { ...subject, value: real.ok ? real.value : resolve(cwd, subject.value) };
    }),
  );
}
