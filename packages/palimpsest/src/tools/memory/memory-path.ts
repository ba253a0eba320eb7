import { fail, ok, type Result } from "@palimpsest/core/spec";
import { maxMemoryBytes, quarantineFolder } from "./memory-options.ts";

const root = "/memories";
/** The longest path a tree can name, so that a version of it can be kept. */
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

/**
 * The texts for the model. The texts of the first group are those of the API's memory tool, word for word: models were
 * trained on them.
 */
export const memoryTexts = {
  folder: (path: string) =>
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
  file: (path: string) => `Here's the content of ${path} with line numbers:`,
  created: (path: string) => `File created successfully at: ${path}`,
  replaced: "The memory file has been edited.",
  inserted: (path: string) => `The file ${path} has been edited.`,
  deleted: (path: string) => `Successfully deleted ${path}`,
  renamed: (from: string, to: string) => `Successfully renamed ${from} to ${to}`,
  absent: (path: string) => `The path ${path} does not exist. Please provide a valid path.`,
  exists: (path: string) => `File ${path} already exists`,
  notVerbatim: (old: string, path: string) =>
    `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`,
  ambiguous: (old: string, lines: readonly number[]) =>
    `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${lines.join(", ")}. Please ensure it is unique`,
  insertLine: (line: number, most: number) =>
    `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${most}]`,
  destinationExists: (path: string) => `The destination ${path} already exists`,

  viewRange: (range: readonly number[], most: number) =>
    `Invalid \`view_range\` parameter: [${range.join(", ")}]. It should be two lines of the file, within [1, ${most}], the second -1 for its end.`,
  badPath: (path: string, why: string) =>
    `The path ${JSON.stringify(path)} cannot be used: ${why}. Use a path such as /memories/topic.md.`,
  root: (verb: string) => `The /memories directory itself cannot be ${verb}.`,
  inside: (from: string, to: string) => `${from} cannot be renamed to ${to}, which is inside it.`,
  fileAbove: (path: string) => `The path ${path} cannot be made: a part of it is a file.`,
  generated: (path: string) =>
    `${path} was not changed: what stands below its marker is generated from the memories. Change the memory itself, or the lines above the marker.`,
  quarantined: (path: string) =>
    `${path} is in quarantine: it waits for a person, who confirms or removes it with “palimpsest memory”.`,
  waits: (path: string, why: string) =>
    `${path} is not in force: it was put into quarantine, where a person confirms or rejects it with “palimpsest memory”. ${why}`,
  refused: (path: string, why: string) => `${path} was not changed: ${why}`,
  tooLarge: (path: string, bytes: number) =>
    `${path} would have ${bytes} bytes, and at most ${maxMemoryBytes} are allowed. Shorten it, or make one file a topic.`,
  conflict: (path: string) =>
    `${path} keeps being changed by somebody else. View it again, then decide anew.`,
  missing: (command: string, field: string) => `memory ${command} needs \`${field}\`.`,
} as const;
