import { fail, ok, type Result } from "@palimpsest/core/spec";
import { showPath } from "../paths/show-path.ts";
import { cellsOf, withInserted, withoutCell, withReplaced } from "./cell-surgery.ts";
import { type Cell, type CellType, cellName, type Notebook, parseNotebook, toLines } from "./notebook.ts";

export interface CellChange {
  readonly mode: "replace" | "insert" | "delete";
  /** Replaced, deleted, or the one it is inserted behind; absent for an insertion at the beginning. */
  readonly cell?: { readonly id: string } | { readonly number: number };
  readonly source?: string;
  readonly type?: CellType;
  /** For a new cell, where the notebook's cells have ids. */
  readonly newId: string;
}

interface ChangedNotebook {
  readonly json: string;
  /** Which cell was changed, for the model. */
  readonly name: string;
}

export type EditNotebook = typeof editNotebook;

/** Changes one cell in the text of a notebook. Everything else stays byte for byte as it is written. */
export function editNotebook(json: string, path: string, change: CellChange): Result<ChangedNotebook> {
  const parsed = parseNotebook(json, path);
  if (!parsed.ok) return parsed;
  const notebook = parsed.value;
  const index = findCell(notebook, path, change);
  if (!index.ok) return index;
  const cells = cellsOf(json);
  if (!cells)
    return fail("unknown-format", `${showPath(path)} is nested too deeply to change a cell of it.`, {
      path,
      fix: "Change it with a program in Bash.",
    });
  switch (change.mode) {
    case "delete":
      return ok({ json: withoutCell(json, cells, index.value), name: nameAt(notebook, index.value) });
    case "insert":
      return ok({
        json: withInserted(json, cells, index.value + 1, newCell(notebook, change)),
        name: `${index.value + 2}`,
      });
    case "replace": {
      const fresh = emptyOutputs(notebook.cells[index.value] as Cell, change);
      return ok({ json: withReplaced(json, cells, index.value, fresh), name: nameAt(notebook, index.value) });
    }
  }
}

const nameAt = ({ cells }: Notebook, index: number) => cellName(cells[index] as Cell, index);

/** -1: before the first cell. */
function findCell({ cells }: Notebook, path: string, { cell, mode }: CellChange): Result<number> {
  if (cell === undefined) {
    if (mode === "insert") return ok(-1);
    return fail("invalid-input", `It is not said which cell to ${mode}.`, {
      fix: "Give cell_id or cell_number.",
    });
  }
  const byId = "id" in cell;
  const index = byId ? cells.findIndex(({ id }) => id === cell.id) : cell.number - 1;
  if (index >= 0 && index < cells.length) return ok(index);
  const wanted = byId ? `the id ${showPath(cell.id)}` : `number ${cell.number}`;
  return fail("not-found", `${showPath(path)} has no cell with ${wanted}.`, {
    fix: `It has ${cells.length} cells; read it to see their numbers and ids.`,
  });
}

function newCell({ nbformat, nbformat_minor, cells }: Notebook, change: CellChange): object {
  const type = change.type ?? "code";
  const hasIds =
    Number(nbformat) * 100 + Number(nbformat_minor) >= 405 || cells.some(({ id }) => id !== undefined);
  return {
    cell_type: type,
    ...(type === "code" && { execution_count: null }),
    ...(hasIds && { id: change.newId }),
    metadata: {},
    ...(type === "code" && { outputs: [] }),
    source: toLines(change.source ?? ""),
  };
}

/** The outputs of a code cell are no longer true of its new source; other cells have no such members. */
function emptyOutputs(
  cell: Cell,
  { type = cell.cell_type, source = "" }: CellChange,
): ReadonlyMap<string, unknown> {
  const isCode = type === "code";
  return new Map<string, unknown>([
    ["cell_type", type],
    ["source", typeof cell.source === "string" ? source : toLines(source)],
    ["execution_count", isCode ? null : undefined],
    ["outputs", isCode ? [] : undefined],
  ]);
}
