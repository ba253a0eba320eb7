import { fail, ok, type Result } from "../../../spec/index.ts";
import { maxTreeFileBytes } from "./tree-version.ts";

/** So that a whole path fits into one file name of the history. */
export const maxTreePathBytes = 240;

/** Where a tree keeps its versions, below its own folder. */
export const historyFolderName = ".history";

const allowedCharacters = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;
const refusedCharacters = /[\\%<>"|*?:]/;
const refusedBeginning = /^[\p{M} .~#-]/u;
const refusedEnd = /[ .~]$/;

/** Stands for `/` in the history's file names; no part of a path can hold it. */
const separatorInHistory = "%";

/**
 * A part of a path: letters, marks, digits, punctuation and symbols of any script, and spaces inside. Not `\ % < >
 * " | * ? :`, no control, invisible or direction-changing characters. It does not begin with a dot, dash, space,
 * `~`, `#` or a combining mark, nor end with a dot, space or `~`: that keeps out `..`, hidden files, options and
 * what editors leave behind.
 */
export function isTreePart(part: string): boolean {
  return (
    allowedCharacters.test(part) &&
    !refusedCharacters.test(part) &&
    !refusedBeginning.test(part) &&
    !refusedEnd.test(part)
  );
}

/**
 * The one spelling of a path: relative, parts joined by `/`, normalised to NFC, at most `maxTreePathBytes` of UTF-8.
 * Paths that differ only in case are two files here; where the file system knows no case they are one, with one
 * history.
 */
export function toTreePath(path: string): Result<string> {
  const normal = typeof path === "string" ? path.normalize("NFC") : "";
  if (normal.split("/").every(isTreePart) && Buffer.byteLength(normal) <= maxTreePathBytes) return ok(normal);
  return fail("invalid-path", `${JSON.stringify(path)} cannot name a file of a tree.`, {
    path,
    fix: `Use a relative path such as notes/plan.md: no hidden names, no "..", none of \\ % < > " | * ? :, at most ${maxTreePathBytes} bytes.`,
  });
}

export function toHistoryName(path: string): string {
  return path.replaceAll("/", separatorInHistory);
}

/** `null` for a name no path has. */
export function fromHistoryName(name: string): string | null {
  const path = toTreePath(name.replaceAll(separatorInHistory, "/"));
  return path.ok && toHistoryName(path.value) === name ? path.value : null;
}

/** Byte for byte: a byte order mark is part of the text. */
export function decodeTreeText(content: Uint8Array, file: string): Result<string> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content));
  } catch (cause) {
    return fail("corrupt", `${file} is not valid UTF-8. It was left as it is.`, {
      path: file,
      fix: "Save the file as UTF-8 or move it away.",
      cause,
    });
  }
}

/** Refuses what would not come back as it was: lone surrogates, and texts over the limit. */
export function encodeTreeText(text: string, path: string): Result<Uint8Array> {
  if (typeof text !== "string" || !text.isWellFormed()) {
    return fail("invalid-input", `The text for ${path} is not well-formed Unicode.`, {
      path,
      fix: "Remove lone surrogates, for example with toWellFormed().",
    });
  }
  const content = Buffer.from(text, "utf8");
  if (content.length <= maxTreeFileBytes) return ok(content);
  return fail("too-large", `The text for ${path} has ${content.length} bytes, over ${maxTreeFileBytes}.`, {
    path,
    fix: "Write several smaller files.",
    facts: { bytes: content.length, maxBytes: maxTreeFileBytes },
  });
}
