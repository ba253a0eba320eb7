import type { Accounting } from "@palimpsest/core/spec";
import { fitLine, harmless } from "./fit-line.ts";

interface DetailRow {
  readonly name: string;
  readonly numbers: readonly number[];
}

const shownRows = 5;
const maxColumns = 80;
const numberColumns = 10;
const indent = "  ";

/** The parts of what can be looked into, and what could not be measured: lines of at most that many columns. */
export function pictureDetails(accounting: Accounting, columns: number): readonly string[] {
  const { attachmentsByType, memoryFilesByPath, duplicateReads } = accounting;
  const width = Math.min(columns, maxColumns);
  const tables = [
    table("Tools", ["requests", "results"], toolRows(accounting), width),
    table(
      "Attachments",
      ["count", "tokens"],
      attachmentsByType.map(({ name, count, tokens }) => ({ name, numbers: [count, tokens] })),
      width,
    ),
    table(
      "Memory files",
      ["tokens"],
      memoryFilesByPath.map(({ name, tokens }) => ({ name, numbers: [tokens] })),
      width,
    ),
    table(
      "Read more than once",
      ["times", "to save"],
      duplicateReads.map(({ path, count, tokens }) => ({ name: path, numbers: [count, tokens] })),
      width,
    ),
    remarks(accounting).map((remark) => fitLine(harmless(remark), width)),
  ];
  return tables
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** `12,345`, the same in every locale. */
export function formatTokens(tokens: number): string {
  return tokens.toLocaleString("en-US");
}

/** What a tool was asked and what it gave, the largest sum first. */
function toolRows({ requestsByTool, resultsByTool }: Accounting): readonly DetailRow[] {
  const requests = new Map(requestsByTool.map(({ name, tokens }) => [name, tokens]));
  const results = new Map(resultsByTool.map(({ name, tokens }) => [name, tokens]));
  return [...new Set([...results.keys(), ...requests.keys()])]
    .map((name) => ({ name, numbers: [requests.get(name) ?? 0, results.get(name) ?? 0] }))
    .sort((a, b) => sum(b.numbers) - sum(a.numbers));
}

function table(
  title: string,
  headers: readonly string[],
  rows: readonly DetailRow[],
  width: number,
): readonly string[] {
  if (rows.length === 0) return [];
  const nameColumns = width - headers.length * numberColumns;
  const line = (name: string, cells: readonly string[]) =>
    name + cells.map((cell) => cell.padStart(numberColumns)).join("");
  const fitName = (name: string) => indent + fitLine(harmless(name), nameColumns - indent.length, "end");
  const more = rows.length - shownRows;
  return [
    line(fitLine(title, nameColumns), headers),
    ...rows.slice(0, shownRows).map(({ name, numbers }) => line(fitName(name), numbers.map(formatTokens))),
    ...(more > 0 ? [`${indent}and ${formatTokens(more)} more`] : []),
  ];
}

function remarks({ deferredTools, failures }: Accounting): readonly string[] {
  const { count, tokens } = deferredTools;
  return [
    ...(count > 0 ? [`Deferred tools, not loaded: ${count} (${formatTokens(tokens)} tokens)`] : []),
    ...failures.map(({ metric, message, count: times }) => `Not measured: ${metric}: ${message} (${times})`),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
