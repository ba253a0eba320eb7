import { basename, dirname, join, resolve } from "node:path";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { FileSystem } from "../disk/file-system.ts";
import { showPath } from "./show-path.ts";

/** As many links as Linux follows. */
const maxLinks = 40;

/**
 * Where a path truly leads: absolute, `..` taken away by its text, then every link of what exists resolved. What does
 * not exist yet follows the deepest folder that does; a link to something missing leads to what is missing.
 */
export async function resolvePath(
  fileSystem: FileSystem,
  path: string,
  cwd: string,
): Promise<Result<string>> {
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

/** What every common system takes: more is refused before any of them is asked. */
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
