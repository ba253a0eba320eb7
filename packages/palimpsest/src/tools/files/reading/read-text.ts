import { createHash } from "node:crypto";
import { type FileStamp, fail, ok, type Result, type ToolOutcome } from "@palimpsest/core/spec";
import type { FileSystem, ReadableFile } from "../disk/file-system.ts";
import { nodeFileSystem } from "../disk/node-file-system.ts";
import { openTarget } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { judgeContent, judgedBytes } from "./judge-content.ts";
import { createLinePage, type PageRequest, type PageView, readPieces } from "./line-page.ts";
import { readWhole } from "./read-whole.ts";
import { createTextDecoder, type TextEncoding } from "./text-encoding.ts";

/**
 * One page of a text file. A file that may be edited is read to its end, since its stamp is over all its bytes; a larger
 * one only as far as the page goes.
 */
export async function readText(
  file: ReadableFile,
  path: string,
  encoding: TextEncoding,
  request: PageRequest,
  stampedBytes: number,
  signal: AbortSignal,
): Promise<Result<ToolOutcome>> {
  const page = createLinePage(request);
  const decoder = createTextDecoder(encoding);
  const hash = createHash("sha256");
  let bytes = 0;
  let isStamped = true;
  const read = await readPieces(file, signal, (piece) => {
    bytes += piece.length;
    page.push(decoder.decode(piece, { stream: true }));
    isStamped = Math.max(bytes, file.facts.bytes) <= stampedBytes;
    if (isStamped) hash.update(piece);
    return page.isFull && !isStamped ? "stop" : "go-on";
  });
  if (!read.ok) return read;
  const { isWhole } = read.value;
  if (isWhole) page.push(decoder.decode());
  const content = pageContent(page.end(), path, { bytes: Math.max(bytes, file.facts.bytes), isWhole });
  if (!content.ok) return content;
  if (!isStamped) return ok({ content: content.value });
  const stamp = { path, sha256: hash.digest("hex"), bytes, modifiedMs: file.facts.modifiedMs };
  return ok({ content: content.value, files: [stamp] });
}

export function pageContent(
  view: PageView,
  path: string,
  { bytes, isWhole }: { readonly bytes: number; readonly isWhole: boolean },
): Result<string> {
  if (isWhole && view.seenLines === 0) return ok(`(${showPath(path)} is empty: it has no text.)`);
  if (view.lastLine < view.firstLine) {
    const message = `${showPath(path)} has ${view.seenLines} lines; offset ${view.firstLine} is behind its end.`;
    return fail("invalid-input", message, { fix: `Use an offset from 1 to ${view.seenLines}.` });
  }
  return ok(view.text + pageNotes(view, bytes, isWhole));
}

/** The notes behind a page: where to go on, and what cannot be seen of the text. */
function pageNotes(view: PageView, bytes: number, isWhole: boolean): string {
  const notes: string[] = [];
  const total = isWhole ? `${view.seenLines}` : `more (the file has ${bytes} bytes)`;
  const isMore = !isWhole || view.lastLine < view.seenLines;
  if (isMore || view.firstLine > 1) notes.push(`Lines ${view.firstLine} to ${view.lastLine} of ${total}.`);
  if (isMore) notes.push(`Go on with offset ${view.lastLine + 1}.`);
  if (view.crlfLines > 0) {
    const which = view.lfLines === 0 ? "Lines end with CRLF" : `${view.crlfLines} of the lines end with CRLF`;
    notes.push(`${which}, shown without the CR; Edit keeps it, and takes LF for it.`);
  }
  if (isWhole && !isMore && !view.hasFinalNewline) notes.push("The last line has no line end.");
  return notes.length > 0 ? `\n[${notes.join(" ")}]` : "";
}

/** More of a file than anybody is shown at once. */
const maxBytes = 1024 * 1024;

/** A text file as it is now, whole, with the stamp by which it counts as read. */
export async function readTextFile(
  path: string,
  signal: AbortSignal,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<Result<{ readonly text: string; readonly stamp: FileStamp }>> {
  const real = await fileSystem.realPath(path);
  if (!real.ok) return real;
  const opened = await openTarget(fileSystem, real.value);
  if (!opened.ok) return opened;
  try {
    const limit = { maxBytes, fix: "Read a part of it." };
    const whole = await readWhole(opened.value, real.value, limit, signal);
    if (!whole.ok) return whole;
    const { bytes, stamp } = whole.value;
    const judged = judgeContent(bytes.subarray(0, judgedBytes));
    if (judged.kind !== "text") return fail("invalid-input", "it is no text", { path });
    return ok({ text: createTextDecoder(judged.encoding).decode(bytes), stamp });
  } finally {
    await opened.value.close();
  }
}
