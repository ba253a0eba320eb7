import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result, type ToolContext, type ToolSubject } from "@palimpsest/core/spec";
import type { FileKind, FileSystem, ReadableFile } from "../disk/file-system.ts";
import { nodeFileSystem } from "../disk/node-file-system.ts";
import { showPath } from "./show-path.ts";

/** As many links as Linux follows. */
const maxLinks = 40;

/**
 * Where a path truly leads: absolute, `..` taken away by its text, then every link of what exists resolved. What does
 * not exist yet follows the deepest folder that does; a link to something missing leads to what is missing.
 */
async function resolvePath(fileSystem: FileSystem, path: string, cwd: string): Promise<Result<string>> {
  const checked = checkPath(path);
  return checked.ok ? followPath(fileSystem, resolve(cwd, path), maxLinks) : checked;
}

async function followPath(fileSystem: FileSystem, path: string, linksLeft: number): Promise<Result<string>> {
  const real = await fileSystem.realPath(path);
  if (real.ok || real.error.code !== "not-found" || dirname(path) === path) return real;
  const parent = await followPath(fileSystem, dirname(path), linksLeft);
  if (!parent.ok) return parent;
  const place = join(parent.value, basename(path));
  const facts = await fileSystem.stat(place);
  if (!facts.ok) return facts.error.code === "not-found" ? { ok: true, value: place } : facts;
  if (facts.value.kind !== "link") return { ok: true, value: place };
  if (linksLeft === 0) {
    return fail("invalid-path", `${showPath(path)} leads through too many symbolic links.`, {
      path,
      fix: "Name the file itself.",
    });
  }
  const target = await fileSystem.readLink(place);
  return target.ok ? followPath(fileSystem, resolve(parent.value, target.value), linksLeft - 1) : target;
}

/** The longest path every common system takes: more is refused before any of them is asked. */
const maxPathBytes = 4_095;
const maxNameBytes = 255;

/** Whether a path can be meant at all. A tilde is a name like any other: no shell stands in between. */
function checkPath(path: string): Result<string> {
  if (path.trim() === "") return fail("invalid-path", "The path is empty.", { fix: "Name a file." });
  if (path.includes("\0")) {
    return fail("invalid-path", `${showPath(path)} holds a NUL character.`, {
      fix: "Give the path without it.",
    });
  }
  if (!path.isWellFormed()) {
    return fail("invalid-path", `${showPath(path)} is not well-formed text.`, { fix: "Check the path." });
  }
  const isLong =
    Buffer.byteLength(path) > maxPathBytes ||
    path.split("/").some((name) => Buffer.byteLength(name) > maxNameBytes);
  if (isLong) {
    return fail("invalid-path", `The path is too long: ${showPath(path.slice(0, 80))}…`, {
      fix: `Use at most ${maxPathBytes} bytes, and ${maxNameBytes} for each name in it.`,
    });
  }
  if (path === "~" || path.startsWith("~/")) {
    return fail("invalid-path", `${showPath(path)} begins with a tilde, which is not expanded.`, {
      fix: "Give the absolute path (or begin with ./~ where the folder really has that name).",
    });
  }
  return ok(path);
}

/** The real path that a call means, if it is one that permission was given for. */
export async function findTarget(
  fileSystem: FileSystem,
  path: string,
  { cwd, allowedPaths }: Pick<ToolContext, "cwd" | "allowedPaths">,
): Promise<Result<string>> {
  const real = await resolvePath(fileSystem, path, cwd);
  if (!real.ok || !allowedPaths || allowedPaths.includes(real.value)) return real;
  return fail(
    "denied",
    `${showPath(path)} leads to ${showPath(real.value)}, which permission was not given for.`,
    {
      path: real.value,
      fix: "Call again, so that permission is asked for where it leads now.",
    },
  );
}

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
  const isThere = await hasIdentity(fileSystem, path, opened.value.facts.identity);
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

async function hasIdentity(fileSystem: FileSystem, path: string, identity: string): Promise<boolean> {
  const real = await fileSystem.realPath(path);
  const facts = await fileSystem.stat(path);
  return real.ok && real.value === path && facts.ok && facts.value.identity === identity;
}

/**
 * The real subjects of a call, for permission: every path absolute and real, so that a link inside the workspace which
 * leads out of it is judged by where it leads. A path that cannot be resolved stays absolute; running the tool refuses
 * it. Hand the paths on as `allowedPaths`: a tool touches nothing that has come to lead elsewhere since.
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

/** The one file that a tool's input names, as it is written there: `resolveSubjects` says where it leads. */
export function pathSubjects(
  field: string,
  access: ToolSubject["access"],
  whenAbsent?: string,
): (input: unknown) => readonly ToolSubject[] {
  return (input) => {
    const given =
      typeof input === "object" && input !== null ? (input as Record<string, unknown>)[field] : undefined;
    const value = typeof given === "string" ? given : whenAbsent;
    return value === undefined ? [] : [{ kind: "path", value, access }];
  };
}
