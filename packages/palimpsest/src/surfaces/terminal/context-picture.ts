import type { Accounting, Category } from "@palimpsest/core/spec";
import { escapeTerminal } from "./escape-terminal.ts";
import { formatCount } from "./format-amount.ts";
import { cutText, cutTextStart, padText } from "./text-width.ts";

export interface PictureOptions {
  /** Of the terminal; lines are never longer. From 80 on the legend stands beside the grid, below that under it. */
  readonly columns?: number;
  /** `plain` has letters instead of colours. */
  readonly style: "plain" | "colour";
}

const wideColumns = 80;
const minColumns = 30;
const gridRows = 10;
const gap = "   ";
const legendColumns = 38;
const tokensColumns = 10;
const percentColumns = 5;

/** The context as a picture: a headline, a grid of cells, a legend, and what is worth knowing about its parts. */
export function contextPicture(accounting: Accounting, options: PictureOptions): readonly string[] {
  const columns = Math.max(minColumns, options.columns ?? wideColumns);
  const isWide = columns >= wideColumns;
  const parts = pictureParts(accounting);
  const draw = (part: Pick<PicturePart, "plain" | "coloured">) =>
    options.style === "plain" ? part.plain : part.coloured;
  const cellsInRow = isWide ? 2 * gridRows : gridRows;
  const grid = gridLines(parts, cellsInRow, draw);
  const width = isWide ? legendColumns : Math.min(columns, legendColumns);
  const legend = parts.map((part) => legendLine(part, draw(part), width, accounting.window));
  const details = pictureDetails(accounting, columns);
  return [
    ...headlines(accounting).map((line) => fitLine(line, columns)),
    "",
    ...(isWide ? joinColumns(grid, legend, cellsInRow) : [...grid, "", ...legend]),
    ...(details.length > 0 ? ["", ...details] : []),
  ].map((line) => line.trimEnd());
}

function headlines({ total, window }: Accounting): readonly string[] {
  const percent = window === 0 ? "" : ` (${Math.round((total / window) * 100)}%)`;
  const headline = `${formatCount(total)} of ${formatCount(window)} tokens${percent}`;
  return total > window ? [headline, `${formatCount(total - window)} over the window`] : [headline];
}

function gridLines(
  parts: readonly PicturePart[],
  cellsInRow: number,
  draw: (part: Pick<PicturePart, "plain" | "coloured">) => string,
): readonly string[] {
  const counts = cellCounts(
    parts.map(({ tokens }) => tokens),
    cellsInRow * gridRows,
  );
  const drawn = parts.flatMap((part, index) => Array<string>(counts[index] ?? 0).fill(draw(part)));
  return Array.from({ length: gridRows }, (_, row) =>
    Array.from(
      { length: cellsInRow },
      (_, column) => drawn[row * cellsInRow + column] ?? draw(emptyCell),
    ).join(" "),
  );
}

function legendLine({ label, tokens }: PicturePart, cell: string, width: number, window: number): string {
  const text = fitLine(label, width - 2 - tokensColumns - percentColumns);
  const percent = window === 0 ? "" : percentOf(tokens, window);
  return `${cell} ${text}${padText(formatCount(tokens), tokensColumns, "right")}${padText(percent, percentColumns, "right")}`;
}

function percentOf(tokens: number, window: number): string {
  const percent = Math.round((tokens / window) * 100);
  return percent === 0 && tokens > 0 ? "<1%" : `${percent}%`;
}

function joinColumns(
  grid: readonly string[],
  legend: readonly string[],
  cellsInRow: number,
): readonly string[] {
  const blank = " ".repeat(2 * cellsInRow - 1);
  return Array.from(
    { length: Math.max(grid.length, legend.length) },
    (_, row) => `${grid[row] ?? blank}${gap}${legend[row] ?? ""}`,
  );
}

/**
 * Divides a number of cells among amounts, in proportion: all of them are given out, and every amount over 0 gets at
 * least one, as long as there are enough. Nothing where all amounts are 0.
 */
export function cellCounts(amounts: readonly number[], cells: number): readonly number[] {
  const whole = amounts.reduce((sum, amount) => sum + amount, 0);
  if (whole === 0) return amounts.map(() => 0);
  const exact = amounts.map((amount) => (amount / whole) * cells);
  const counts = exact.map((part) => (part > 0 ? Math.max(1, Math.floor(part)) : 0));
  let left = cells - counts.reduce((sum, count) => sum + count, 0);
  const lacking = (index: number) => (exact[index] ?? 0) - (counts[index] ?? 0);
  while (left !== 0) {
    const indices = counts.flatMap((count, index) =>
      (left > 0 ? (exact[index] ?? 0) > 0 : count > 1) ? [index] : [],
    );
    const [first, ...others] = indices;
    if (first === undefined) break;
    const direction = Math.sign(left);
    const next = others.reduce(
      (best, index) => (direction * (lacking(index) - lacking(best)) > 0 ? index : best),
      first,
    );
    counts[next] = (counts[next] ?? 0) + direction;
    left -= direction;
  }
  return counts;
}

/** One kind of cell in the picture. */
interface PicturePart {
  readonly label: string;
  readonly tokens: number;
  /** Without colour, every part has a character of its own. */
  readonly plain: string;
  readonly coloured: string;
}

/** How the parts look: a letter, or a colour of the terminal's 256. */
const looks: Readonly<Record<Category, readonly [label: string, letter: string, colour: number]>> = {
  systemPrompt: ["System prompt", "S", 245],
  builtInTools: ["Built-in tools", "B", 75],
  mcpTools: ["MCP tools", "M", 39],
  memoryFiles: ["Memory files", "F", 172],
  summaries: ["Summary", "Y", 226],
  humanMessages: ["Human messages", "H", 46],
  assistantMessages: ["Assistant messages", "A", 141],
  thinking: ["Thinking", "K", 99],
  toolRequests: ["Tool requests", "Q", 204],
  toolResults: ["Tool results", "R", 160],
  attachments: ["Attachments", "@", 80],
  localCommandOutput: ["Local command output", "L", 108],
  imagesAndDocuments: ["Images and documents", "I", 213],
  other: ["Other", "O", 252],
};

const square = "■";

/** The parts of the window, in order, without those that are 0. */
function pictureParts({ categories, freeSpace, reservedBuffer }: Accounting): readonly PicturePart[] {
  const used = (Object.keys(looks) as Category[]).map((category): PicturePart => {
    const [label, plain, colour] = looks[category];
    return { label, tokens: categories[category].tokens, plain, coloured: paint(square, colour) };
  });
  const free = { label: "Free space", tokens: freeSpace.tokens, ...emptyCell };
  const reserved = { label: "Reserved buffer", tokens: reservedBuffer.tokens, ...reservedCell };
  return [...used, free, reserved].filter(({ tokens }) => tokens > 0);
}

const emptyCell = { plain: ".", coloured: paint("□", 240) };
const reservedCell = { plain: "#", coloured: paint("▨", 240) };

function paint(text: string, colour: number): string {
  return `\u001b[38;5;${colour}m${text}\u001b[39m`;
}

interface DetailRow {
  readonly name: string;
  readonly numbers: readonly number[];
}

const shownRows = 5;
const maxColumns = 80;
const numberColumns = 10;
const indent = "  ";

/** The parts of what can be looked into, and what could not be measured: lines of at most that many columns. */
function pictureDetails(accounting: Accounting, columns: number): readonly string[] {
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
    remarks(accounting).map((remark) => fitLine(escapeTerminal(remark), width)),
  ];
  return tables
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** The requests and results of a tool, the largest sum first. */
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
    name + cells.map((cell) => padText(cell, numberColumns, "right")).join("");
  const fitName = (name: string) =>
    indent + fitLine(escapeTerminal(name), nameColumns - indent.length, "end");
  const more = rows.length - shownRows;
  return [
    line(fitLine(title, nameColumns), headers),
    ...rows.slice(0, shownRows).map(({ name, numbers }) => line(fitName(name), numbers.map(formatCount))),
    ...(more > 0 ? [`${indent}and ${formatCount(more)} more`] : []),
  ];
}

function remarks({ deferredTools, failures }: Accounting): readonly string[] {
  const { count, tokens } = deferredTools;
  return [
    ...(count > 0 ? [`Deferred tools, not loaded: ${count} (${formatCount(tokens)} tokens)`] : []),
    ...failures.map(({ metric, message, count: times }) => `Not measured: ${metric}: ${message} (${times})`),
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The text in exactly that many columns; of one that is too long, the beginning or the end is kept. */
function fitLine(text: string, columns: number, keep: "beginning" | "end" = "beginning"): string {
  return padText(keep === "end" ? cutTextStart(text, columns) : cutText(text, columns), columns);
}
