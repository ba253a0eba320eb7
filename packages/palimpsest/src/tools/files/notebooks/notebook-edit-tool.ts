import { fail, ok, type Result, type Tool, type ToolContext } from "@palimpsest/core/spec";
import { toOutcome } from "../file-outcome.ts";
import { pathSubjects } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { encodeText } from "../reading/text-encoding.ts";
import { changeFile, type FileChange } from "../writing/change-file.ts";
import { editingLines, type WritingOptions } from "../writing/existing-file.ts";
import { cellsOf, withInserted, withoutCell, withReplaced } from "./cell-surgery.ts";
import { type Cell, type CellType, cellName, type Notebook, parseNotebook, toLines } from "./notebook.ts";
import { isNotebookPath } from "./read-notebook.ts";

interface NotebookEditInput {
  readonly notebook_path: string;
  readonly cell_id?: string;
  readonly cell_number?: number;
  readonly new_source?: string;
  readonly cell_type?: CellType;
  readonly edit_mode?: CellChange["mode"];
}

export function createNotebookEditTool(options: WritingOptions): Tool {
  return {
    name: "NotebookEdit",
    description:
      "Changes one cell of a notebook (.ipynb): replaces its source, inserts a new cell, or deletes one. The notebook must have been read before, and must not have changed since. Outputs of a replaced code cell are taken out, since they are no longer true; all else stays as it is written.",
    input_schema: {
      type: "object",
      properties: {
        notebook_path: { type: "string", description: "Absolute, or relative to the working folder." },
        cell_id: { type: "string", description: "The id of the cell, as Read shows it." },
        cell_number: {
          type: "integer",
          minimum: 1,
          description: "Its number, counted from 1, instead of the id.",
        },
        new_source: { type: "string", description: "The whole new source; not needed to delete." },
        cell_type: {
          type: "string",
          enum: ["code", "markdown", "raw"],
          description: "Absent: as it is; code for a new one.",
        },
        edit_mode: {
          type: "string",
          enum: ["replace", "insert", "delete"],
          description:
            "Absent: replace. An insertion goes behind the named cell, or before all where none is named.",
        },
      },
      required: ["notebook_path"],
      additionalProperties: false,
    },
    promptLines: editingLines,
    subjectsOf: pathSubjects("notebook_path", "write"),
    async run(input, context) {
      const given = input as NotebookEditInput;
      const change = changeOf(given, context);
      if (!change.ok) return toOutcome(change);
      return toOutcome(
        await changeFile(options, given.notebook_path, context, (bytes, encoding, path) =>
          changeNotebook(bytes, encoding, path, change.value),
        ),
      );
    },
  };
}

function changeNotebook(
  bytes: Uint8Array,
  encoding: Parameters<typeof encodeText>[1],
  path: string,
  change: CellChange,
): Result<FileChange> {
  const json = decodeExactly(bytes);
  if (json === undefined || encoding === "utf-16le" || encoding === "utf-16be") {
    return fail("unknown-format", `${showPath(path)} is not written in UTF-8, as notebooks are.`, {
      fix: "Convert it with iconv in Bash first.",
    });
  }
  const edited = editNotebook(json, path, change);
  if (!edited.ok) return edited;
  const verb = { replace: "Replaced", insert: "Inserted", delete: "Deleted" }[change.mode];
  return ok({
    bytes: encodeText(edited.value.json, encoding),
    report: `${verb} cell ${edited.value.name} of ${showPath(path)}.`,
  });
}

function changeOf(input: NotebookEditInput, { ids }: ToolContext): Result<CellChange> {
  const { notebook_path, cell_id, cell_number, new_source, cell_type, edit_mode: mode = "replace" } = input;
  if (!isNotebookPath(notebook_path)) {
    return fail("invalid-input", `${showPath(notebook_path)} is no notebook (.ipynb).`, { fix: "Use Edit." });
  }
  if (cell_id !== undefined && cell_number !== undefined) {
    return fail("invalid-input", "Both cell_id and cell_number are given.", { fix: "Give one of them." });
  }
  if (mode !== "delete" && new_source === undefined) {
    return fail("invalid-input", `new_source is missing, and needed to ${mode} a cell.`, {
      fix: "Give new_source.",
    });
  }
  const cell =
    cell_id !== undefined ? { id: cell_id } : cell_number !== undefined ? { number: cell_number } : undefined;
  return ok({
    mode,
    newId: ids.next("cell"),
    ...(cell && { cell }),
    ...(new_source !== undefined && { source: new_source }),
    ...(cell_type && { type: cell_type }),
  });
}

function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

interface CellChange {
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

/** Changes one cell in the text of a notebook. Everything else stays byte for byte as it is written. */
export function editNotebook(json: string, path: string, change: CellChange): Result<ChangedNotebook> {
  const parsed = parseNotebook(json, path);
  if (!parsed.ok) return parsed;
  const notebook = parsed.value;
  const index = findCell(notebook, path, change);
  if (!index.ok) return index;
  const cells = cellsOf(json);
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
