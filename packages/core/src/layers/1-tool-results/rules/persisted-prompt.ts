import { type ContentBlock, isBlock } from "../../../spec/index.ts";
import { idWordOf, readBackFrom, readBackMark, readBackSentence } from "../../../view/read-back.ts";
import { bytesOf, firstLines, lastLines } from "./cut-text.ts";
import { insideFrame } from "./inside-frame.ts";

/** Where a block of a prompt, or several together, were stored, and by which id they are recalled. */
export interface StoredPrompt {
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

/** What stands in the context for a text that the window does not hold: beginning, end, size, and where the rest is. */
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
    `The newest messages are larger than the model's window. ${whatIsStored(stored)}`,
    ...(path === undefined ? [] : [`All of it is in ${path}`]),
    `To read the rest: ${readBackFrom(path, entry, logAddress)}.`,
    `The first ${bytesOf(first)} bytes:`,
    insideFrame(first),
    `The last ${bytesOf(last)} bytes:`,
    insideFrame(last),
    "</persisted-prompt>",
  ].join("\n");
}

function whatIsStored({ blocks, bytes, lines }: StoredPrompt): string {
  const size = `${bytes} bytes, ${lines} ${lines === 1 ? "line" : "lines"}`;
  if (blocks === undefined) return `This one has ${size}: only its beginning and its end stand here.`;
  const [first, last] = blocks;
  return `Parts ${first + 1} to ${last + 1} of this one have ${size} together: only their beginning and their end stand here.`;
}

/** What stands in the context for an image or a document that does not fit the window beside those before it. */
export function persistedMedia(block: ContentBlock, stored: StoredPrompt, logAddress?: string): string {
  const what = isBlock(block, "image") ? "An image" : "A document";
  const where = stored.path === undefined ? "" : ` It is in ${stored.path}.`;
  return `[${what} is left out: the window has no room for it.${where} ${readBackSentence(stored.entry, "it", logAddress)}]`;
}
