import { isRecord, parseJson } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";

export type CellType = "code" | "markdown" | "raw";

export interface Cell {
  readonly cell_type: CellType;
  readonly id?: unknown;
  readonly source: string | readonly string[];
  readonly outputs?: unknown;
  readonly execution_count?: unknown;
}

export interface Notebook {
  readonly nbformat?: unknown;
  readonly nbformat_minor?: unknown;
  readonly cells: readonly Cell[];
}

/** Reads the JSON of a notebook of format 4; older ones keep their cells elsewhere and are refused. */
export function parseNotebook(json: string, path: string): Result<Notebook> {
  const value = parseJson(json);
  if (isNotebook(value)) return ok(value);
  return fail("unknown-format", `${showPath(path)} is no notebook of format 4 that can be understood.`, {
    path,
    fix: "Mend its JSON with Edit, or convert it with jupyter nbconvert in Bash.",
  });
}

export function sourceOf({ source }: Pick<Cell, "source">): string {
  return typeof source === "string" ? source : source.join("");
}

/** Source as notebooks write it: lines with their ends. */
export function toLines(source: string): readonly string[] {
  return source === "" ? [] : source.split(/(?<=\n)/);
}

/** The name a cell is called by: its id, or its number from 1. */
export function cellName(cell: Cell, index: number): string {
  return typeof cell.id === "string" ? `${index + 1} (id ${showPath(cell.id)})` : `${index + 1}`;
}

function isNotebook(value: unknown): value is Notebook {
  return isRecord(value) && Array.isArray(value.cells) && value.cells.every(isCell);
}

function isCell(value: unknown): boolean {
  if (!isRecord(value) || !["code", "markdown", "raw"].includes(String(value.cell_type))) return false;
  const { source } = value;
  return (
    typeof source === "string" || (Array.isArray(source) && source.every((line) => typeof line === "string"))
  );
}
