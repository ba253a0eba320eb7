import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "./show-path.ts";

/** What every common system takes: more is refused before any of them is asked. */
const maxPathBytes = 4_095;
const maxNameBytes = 255;

/** Whether a path can be meant at all. A tilde is a name like any other: no shell stands in between. */
export function checkPath(path: string): Result<string> {
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
