import { type ContentBlock, isBlock } from "../../../spec/index.ts";
import { idWordOf, readBackFrom, readBackMark, readBackSentence } from "../../../view/read-back.ts";
import type { OffloadChoice } from "../command.ts";
import type { StoredResult } from "../store-result.ts";
import { bytesOf, firstLines, lastLines } from "./fit-round.ts";

/** The text shown in place of a result that went to disk. */
export function persistedOutput(
  choice: OffloadChoice,
  text: string,
  stored: Omit<StoredResult, "blob">,
  logAddress?: string,
): string {
  const { tool, toolUseId, isShell, previewBytes, tailBytes } = choice;
  const { bytes, lines, path, mediaPaths } = stored;
  const exitCode = isShell ? exitCodeOf(text) : undefined;
  const first = firstLines(text, previewBytes);
  const last = isShell ? lastLines(text.slice(first.length).trimEnd(), tailBytes) : "";
  return [
    "<persisted-output>",
    `${tool === undefined ? "This result" : `The result of ${tool}`} is too large to stand here: ${bytes} bytes, ${lines} ${lines === 1 ? "line" : "lines"}.`,
    ...(path === undefined ? [] : [`All of it is in ${path}`]),
    ...(mediaPaths.length === 0
      ? []
      : [`The images or documents below are also in ${mediaPaths.join(" and ")}`]),
    ...(exitCode === undefined ? [] : [`Exit code: ${exitCode}`]),
    `To read the rest: ${readBackFrom(path, toolUseId, logAddress)}.`,
    ...excerpt("first", first),
    ...excerpt("last", last),
    "</persisted-output>",
  ].join("\n");
}

function excerpt(which: "first" | "last", text: string): readonly string[] {
  return text === "" ? [] : [`The ${which} ${bytesOf(text)} bytes:`, insideFrame(text)];
}

/** How much of the beginning and of the end of an output is searched for the exit code. */
const searchedChars = 400;

/** `Exit code 1` (Claude Code), `Exit code: 1` (Codex), `Exit Code: 1` (Gemini CLI), `Command exited with code 1` (pi). */
const line =
  /^[ \t]*(?:\(|\[)?(?:(?:command|process) )?(?:exit(?:ed)?(?: with)? (?:code|status)|exit_code)[ \t]*[:=]?[ \t]*(-?\d+)/im;

/** `"metadata":{"exit_code":1}` (Codex). */
const field = /"exit_?code"\s*:\s*(-?\d+)/i;

/** The exit code that a shell's output tells of at its end or its beginning; `undefined` where it tells of none. */
export function exitCodeOf(output: string): number | undefined {
  const places = [output.slice(-searchedChars), output.slice(0, searchedChars)];
  for (const place of places) {
    const found = line.exec(place) ?? field.exec(place);
    if (found) return Number(found[1]);
  }
  return undefined;
}

/** Where a block of a prompt, or several together, were stored, and by which id they are recalled. */
interface StoredPrompt {
  readonly entry: string;
  /** Of several blocks the first and the last, by their places in the message. */
  readonly blocks?: readonly [first: number, last: number];
  readonly bytes: number;
  readonly lines: number;
  /** Absent where it could not be written or given a name: the log has it. */
  readonly path?: string;
}

/** Up to so much of its beginning and of its end, what stands for a text is one line. */
export const lineBytes = 60;

/** The text shown in place of one that the window does not hold: beginning, end, size, and where the rest is. */
export function persistedText(
  text: string,
  stored: StoredPrompt,
  previewBytes: number,
  logAddress?: string,
): string {
  const { bytes, path, entry } = stored;
  if (previewBytes === 0) return `[${bytes} bytes stored: ${idWordOf(logAddress)} ${entry}]`;
  const mark = readBackMark(entry, logAddress);
  const first = firstLines(text, previewBytes);
  const last = lastLines(text.slice(first.length), previewBytes);
  if (previewBytes <= lineBytes)
    return `[${bytes} bytes stored: ${mark}; beginning “${first}”, end “${last}”]`;
  return [
    "<persisted-prompt>",
    `The newest messages are larger than the model's window. ${describeStored(stored)}`,
    ...(path === undefined ? [] : [`All of it is in ${path}`]),
    `To read the rest: ${readBackFrom(path, entry, logAddress)}.`,
    `The first ${bytesOf(first)} bytes:`,
    insideFrame(first),
    `The last ${bytesOf(last)} bytes:`,
    insideFrame(last),
    "</persisted-prompt>",
  ].join("\n");
}

function describeStored({ blocks, bytes, lines }: StoredPrompt): string {
  const size = `${bytes} bytes, ${lines} ${lines === 1 ? "line" : "lines"}`;
  if (blocks === undefined) return `This one has ${size}: only its beginning and its end stand here.`;
  const [first, last] = blocks;
  return `Parts ${first + 1} to ${last + 1} of this one have ${size} together: only their beginning and their end stand here.`;
}

/** The text shown in place of an image or a document that does not fit the window beside those before it. */
export function persistedMedia(block: ContentBlock, stored: StoredPrompt, logAddress?: string): string {
  const what = isBlock(block, "image") ? "An image" : "A document";
  const where = stored.path === undefined ? "" : ` It is in ${stored.path}.`;
  return `[${what} is left out: the window has no room for it.${where} ${readBackSentence(stored.entry, "it", logAddress)}]`;
}

const closing = /<(?=\s*\/\s*persisted-(?:output|prompt)\b)/gi;

/** A text in which nothing reads as the end of the frame around it; as long as it was, in characters and in bytes. */
function insideFrame(text: string): string {
  return text.replace(closing, "[");
}
