import { isAbsolute, relative } from "node:path";
import type { FileSystem } from "../disk/file-system.ts";

/** What a name must not bring into a text: line ends and other controls, marks that turn text around or hide. */
const harmful = /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
const needsCare = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A path as a text shows it: on one line, obeyed by no terminal. Where something is escaped, backslashes are too. */
export function showPath(path: string): string {
  return needsCare.test(path) ? path.replace(harmful, escapeCharacter) : path;
}

function escapeCharacter(character: string): string {
  if (character === "\\") return "\\\\";
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return code > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, "0")}`;
}

/** Shows real paths as calls may name them: from the working folder on where they are below it, else absolute. */
export async function createPathView(fileSystem: FileSystem, cwd: string): Promise<(path: string) => string> {
  const real = await fileSystem.realPath(cwd);
  const folder = real.ok ? real.value : cwd;
  return (path) => {
    const below = relative(folder, path);
    const isBelow = below !== "" && below !== ".." && !below.startsWith("../") && !isAbsolute(below);
    return showPath(isBelow ? below : path);
  };
}
