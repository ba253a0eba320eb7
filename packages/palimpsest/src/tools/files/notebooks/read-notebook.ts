import { firstChars, isRecord } from "@palimpsest/core/internal";
import { ok, type Result, type ToolOutcome } from "@palimpsest/core/spec";
import type { ReadableFile } from "../disk/file-system.ts";
import type { FileLimits } from "../file-limits.ts";
import { createLinePage, type PageRequest } from "../reading/line-page.ts";
import { pageContent, readText } from "../reading/read-text.ts";
import { readWhole } from "../reading/read-whole.ts";
import type { TextEncoding } from "../reading/text-encoding.ts";
import { type Cell, cellName, type Notebook, parseNotebook, sourceOf } from "./notebook.ts";

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

/** A notebook as text: every cell with its number and id, its source, and what it put out. */
function renderNotebook({ cells }: Notebook, maxOutputChars: number): string {
  return cells.map((cell, index) => renderCell(cell, index, maxOutputChars)).join("\n\n");
}

function renderCell(cell: Cell, index: number, maxOutputChars: number): string {
  const outputs = Array.isArray(cell.outputs) ? cell.outputs : [];
  const count = typeof cell.execution_count === "number" ? `, run as [${cell.execution_count}]` : "";
  return [
    `=== cell ${cellName(cell, index)}, ${cell.cell_type}${count} ===`,
    sourceOf(cell),
    ...outputs.map((output) => renderOutput(output, maxOutputChars)),
  ].join("\n");
}

function renderOutput(output: unknown, maxChars: number): string {
  if (!isRecord(output)) return "--- output of an unknown kind ---";
  const cut = (text: string) => {
    const first = firstChars(text, maxChars);
    return first === text ? text : `${first}… [${text.length - first.length} more characters of this output]`;
  };
  switch (output.output_type) {
    case "stream":
      return `--- ${output.name === "stderr" ? "stderr" : "stdout"} ---\n${cut(joinedText(output.text))}`;
    case "error":
      return `--- error ---\n${cut(errorText(output))}`;
    default:
      return `--- output ---\n${cut(dataText(output.data))}`;
  }
}

function errorText({ ename, evalue, traceback }: Readonly<Record<string, unknown>>): string {
  const lines = Array.isArray(traceback) ? traceback.map(String) : [];
  return [`${String(ename)}: ${String(evalue)}`, ...lines].join("\n").replace(terminalCodes, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const terminalCodes = /\u001b\[[0-9;]*[A-Za-z]/g;

/** The plain form where there is one; what cannot be shown as text is named. */
function dataText(forms: unknown): string {
  if (!isRecord(forms)) return "(nothing)";
  if ("text/plain" in forms) return [joinedText(forms["text/plain"]), ...mediaNames(forms)].join("\n");
  return mediaNames(forms).join("\n") || Object.keys(forms).join(", ");
}

function mediaNames(forms: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(forms)
    .filter((type) => type !== "text/plain")
    .map((type) => `[${type}, ${joinedText(forms[type]).length} characters, not shown]`);
}

function joinedText(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(String).join("") : (JSON.stringify(value) ?? "");
}
