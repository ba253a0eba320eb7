import { fail, ok, type Result, type Tool, type ToolContext } from "@palimpsest/core/spec";
import { toOutcome } from "../file-outcome.ts";
import { pathSubjects } from "../paths/resolve-path.ts";
import { showPath } from "../paths/show-path.ts";
import { encodeText } from "../reading/text-encoding.ts";
import { changeFile, type FileChange } from "../writing/change-file.ts";
import { editingLines, type WritingOptions } from "../writing/existing-file.ts";
import type { CellChange, EditNotebook } from "./edit-notebook.ts";
import type { CellType } from "./notebook.ts";
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
      const { editNotebook } = await import("./edit-notebook.ts");
      return toOutcome(
        await changeFile(options, given.notebook_path, context, (bytes, encoding, path) =>
          changeNotebook(editNotebook, bytes, encoding, path, change.value),
        ),
      );
    },
  };
}

function changeNotebook(
  editNotebook: EditNotebook,
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
