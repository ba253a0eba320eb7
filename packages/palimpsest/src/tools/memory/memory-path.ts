import { fail, ok, type Result } from "@palimpsest/core/spec";
import { quarantineFolder } from "./memory-options.ts";
import { memoryTexts } from "./memory-texts.ts";

const root = "/memories";
/** What a tree can name, so that a version of it can be kept. */
const maxPathBytes = 240;
/** C0, DEL and C1; and what turns the direction of text or cannot be seen. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A path below `/memories`, as the tool names it and as the tree does. */
export interface MemoryPath {
  /** As it was given, without a slash at its end. */
  readonly shown: string;
  /** Empty for the root itself. */
  readonly inTree: string;
}

/**
 * The place that a path names. Nothing outside, nothing hidden, nothing encoded: `%` is refused as such, so that `..`
 * cannot come in however often it was encoded.
 */
export function toMemoryPath(given: string): Result<MemoryPath> {
  const shown = given.replace(/\/+$/, "");
  const inTree = shown === root ? "" : shown.slice(root.length + 1).normalize("NFC");
  const why = faultOf(given, shown, inTree);
  if (why !== null) return fail("invalid-path", memoryTexts.badPath(given.slice(0, 300), why));
  if (inTree.split("/")[0]?.toLowerCase() === quarantineFolder)
    return fail("denied", memoryTexts.quarantined(shown));
  return ok({ shown, inTree });
}

function faultOf(given: string, shown: string, inTree: string): string | null {
  if (unseen.test(given)) return "it holds characters that cannot be seen";
  if (given.includes("\\")) return "it holds a backslash";
  if (given.includes("%")) return "it holds a percent sign";
  if (shown !== root && !shown.startsWith(`${root}/`)) return `it is not below ${root}`;
  if (Buffer.byteLength(inTree) > maxPathBytes) return `it has more than ${maxPathBytes} bytes`;
  const parts = shown === root ? [] : inTree.split("/");
  if (parts.includes("..") || parts.includes(".")) return "it leads through “.” or “..”";
  if (parts.some((part) => part.trim() === "")) return "a part of it is empty";
  if (parts.some((part) => part.startsWith("."))) return "it is hidden";
  return null;
}
