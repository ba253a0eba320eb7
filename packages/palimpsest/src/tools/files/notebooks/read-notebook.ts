import { ok, type Result, type ToolOutcome } from "@palimpsest/core/spec";
import type { ReadableFile } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { createLinePage, type PageRequest } from "../reading/line-page.ts";
import { pageContent, readText } from "../reading/read-text.ts";
import { readWhole } from "../reading/read-whole.ts";
import type { TextEncoding } from "../reading/text-encoding.ts";
import { parseNotebook } from "./notebook.ts";
import { renderNotebook } from "./render-notebook.ts";

export function isNotebookPath(path: string): boolean {
  return path.toLowerCase().endsWith(".ipynb");
}

/** One page of a notebook, by the lines of its text form; of one that is damaged, by those of the file. */
export async function readNotebook(
  file: ReadableFile,
  path: string,
  encoding: TextEncoding,
  request: PageRequest,
  { editBytes, outputChars }: FileLimits,
  signal: AbortSignal,
): Promise<Result<ToolOutcome>> {
  const fix = "Take out the cells you need with a program in Bash, such as jq.";
  const whole = await readWhole(file, path, { maxBytes: editBytes, fix }, signal);
  if (!whole.ok) return whole;
  const { bytes, stamp } = whole.value;
  const notebook = parseNotebook(new TextDecoder().decode(bytes), path);
  if (!notebook.ok) return readText(file, path, encoding, request, editBytes, signal);
  const page = createLinePage(request);
  page.push(renderNotebook(notebook.value, outputChars));
  page.push("\n");
  const content = pageContent(page.end(), path, { bytes: bytes.length, isWhole: true });
  if (!content.ok) return content;
  const count = notebook.value.cells.length;
  return ok({ content: `Notebook with ${count} cells\n${content.value}`, files: [stamp] });
}
