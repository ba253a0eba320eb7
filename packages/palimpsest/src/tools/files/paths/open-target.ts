import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { FileKind, FileSystem, ReadableFile } from "../disk/file-system.ts";
import { showPath } from "./show-path.ts";

const otherKinds: Readonly<Record<Exclude<FileKind, "file">, { readonly is: string; readonly fix: string }>> =
  {
    folder: { is: "a folder", fix: "List it with Glob (pattern *), or with ls in Bash." },
    link: { is: "a symbolic link that changed meanwhile", fix: "Call again." },
    fifo: { is: "a named pipe", fix: "Name a regular file; pipes may never end." },
    socket: { is: "a socket", fix: "Name a regular file." },
    device: { is: "a device", fix: "Name a regular file; devices may never end." },
  };

/**
 * Opens the regular file at a real path. What was opened is what stands at that path, without a link in between: a
 * folder that was swapped for a link meanwhile is noticed.
 */
export async function openTarget(fileSystem: FileSystem, path: string): Promise<Result<ReadableFile>> {
  const facts = await fileSystem.stat(path);
  if (!facts.ok) return facts;
  if (facts.value.kind !== "file") return refuseKind(path, facts.value.kind);
  const opened = await fileSystem.open(path);
  if (!opened.ok) return opened;
  const isThere = await standsAt(fileSystem, path, opened.value.facts.identity);
  if (isThere) return ok(opened.value);
  await opened.value.close();
  return fail("conflict", `${showPath(path)} was replaced while it was opened.`, {
    path,
    fix: "Call again.",
  });
}

export function refuseKind(path: string, kind: Exclude<FileKind, "file">): Result<never> {
  const { is, fix } = otherKinds[kind];
  const code = kind === "folder" ? "is-directory" : "invalid-path";
  return fail(code, `${showPath(path)} is ${is}, not a file.`, { path, fix });
}

async function standsAt(fileSystem: FileSystem, path: string, identity: string): Promise<boolean> {
  const real = await fileSystem.realPath(path);
  const facts = await fileSystem.stat(path);
  return real.ok && real.value === path && facts.ok && facts.value.identity === identity;
}
