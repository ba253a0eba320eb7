import { createCatalog } from "@palimpsest/core/catalog";
import {
  type ImageLimits,
  ok,
  type Result,
  type Shell,
  type Tool,
  type ToolContext,
  type ToolOutcome,
} from "@palimpsest/core/spec";
import type { FileSystem } from "./disk/file-system.ts";
import { nodeFileSystem } from "./disk/node-file-system.ts";
import type { TextEdit } from "./editing/apply-edit.ts";
import { applyEdits } from "./editing/apply-edits.ts";
import { type FileLimits, fileLimits } from "./file-limits.ts";
import { toOutcome } from "./file-outcome.ts";
import { createNotebookEditTool } from "./notebooks/notebook-edit-tool.ts";
import { findTarget, pathSubjects, refuseKind } from "./paths/resolve-path.ts";
import { showPath } from "./paths/show-path.ts";
import { createReadTool } from "./reading/read-tool.ts";
import { stampOf } from "./reading/read-whole.ts";
import { createGrepTool } from "./searching/grep-tool.ts";
import { createGlobTool } from "./walking/glob-tool.ts";
import { changeFile } from "./writing/change-file.ts";
import { editingLines, existingFile, type WritingOptions } from "./writing/existing-file.ts";
import { replaceFile } from "./writing/replace-file.ts";

export interface FileToolOptions {
  /** Absent: the machine's own. */
  readonly fileSystem?: FileSystem;
  /** Runs ripgrep where it is installed; absent: Grep does without. */
  readonly shell?: Shell;
  /** Where ripgrep is found (`PATH`); nothing else of it is handed on. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Of the model that is asked next; absent: those of a model nothing is known of. */
  readonly imageLimits?: () => ImageLimits;
  readonly limits?: Partial<FileLimits>;
}

export const editToolName = "Edit";

/** Read, Write, Edit, MultiEdit, NotebookEdit, Grep and Glob. */
export function createFileTools(options: FileToolOptions = {}): readonly Tool[] {
  const { fileSystem = nodeFileSystem, shell, environment = {} } = options;
  const limits = { ...fileLimits, ...options.limits };
  const imageLimits = options.imageLimits ?? (() => createCatalog().capabilities("").value.images);
  const path: Record<string, string> = environment.PATH === undefined ? {} : { PATH: environment.PATH };
  const ripgrep = shell && { shell, environment: path };
  return [
    createReadTool({ fileSystem, limits, imageLimits }),
    createWriteTool({ fileSystem, limits }),
    ...createEditTools({ fileSystem, limits }),
    createNotebookEditTool({ fileSystem, limits }),
    createGrepTool({ fileSystem, limits, ...(ripgrep && { ripgrep }) }),
    createGlobTool({ fileSystem, limits }),
  ];
}

interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

function createWriteTool(options: WritingOptions): Tool {
  return {
    name: "Write",
    description:
      "Writes a whole file, as UTF-8 and exactly as given; missing folders are made. Replaces a file that is there only if it was read before and has not changed since. To change a part of a file, use Edit.",
    input_schema: {
      type: "object",
      properties: {
        file_path: { type: "string", description: "Absolute, or relative to the working folder." },
        content: { type: "string", description: "All of the file." },
      },
      required: ["file_path", "content"],
      additionalProperties: false,
    },
    promptLines: editingLines,
    subjectsOf: pathSubjects("file_path", "write"),
    run: async (input, context) => toOutcome(await write(input as WriteInput, context, options)),
  };
}

async function write(
  input: WriteInput,
  context: ToolContext,
  options: WritingOptions,
): Promise<Result<ToolOutcome>> {
  const { fileSystem } = options;
  const target = await findTarget(fileSystem, input.file_path, context);
  if (!target.ok) return target;
  const path = target.value;
  const there = await fileSystem.stat(path);
  if (!there.ok && there.error.code !== "not-found") return there;
  if (there.ok && there.value.kind !== "file") return refuseKind(path, there.value.kind);
  const existing = there.ok ? await existingFile(options, path, input.file_path, context) : undefined;
  if (existing && !existing.ok) return existing;
  const bytes = Buffer.from(input.content);
  const id = context.ids.next("write");
  const before = existing?.value.facts;
  const written = await replaceFile(fileSystem, { path, bytes, id, ...(before && { before }) });
  if (!written.ok) return written;
  const verb = existing ? "Replaced" : "Created";
  return ok({
    content: `${verb} ${showPath(input.file_path)}: ${bytes.length} bytes.`,
    files: [stampOf(path, bytes, written.value.modifiedMs)],
  });
}

const filePath = { type: "string", description: "Absolute, or relative to the working folder." };

const editFields = {
  old_string: {
    type: "string",
    description: "The text to replace, exactly as it is in the file, without the line numbers of Read.",
  },
  new_string: { type: "string", description: "The text to put there." },
  replace_all: {
    type: "boolean",
    description: "Replace it everywhere. Otherwise it must stand in one place only.",
  },
};

/** Edit and MultiEdit: exact replacements in a text file. */
function createEditTools(options: WritingOptions): readonly Tool[] {
  return [createEditTool(options), createMultiEditTool(options)];
}

function createEditTool(options: WritingOptions): Tool {
  return {
    name: editToolName,
    description:
      "Replaces a text in a file by another. The text must be there exactly, and only once (or set replace_all). The file must have been read before, and must not have changed since. Line ends of the file are kept: LF in the texts stands for them.",
    input_schema: {
      type: "object",
      properties: { file_path: filePath, ...editFields },
      required: ["file_path", "old_string", "new_string"],
      additionalProperties: false,
    },
    promptLines: editingLines,
    subjectsOf: pathSubjects("file_path", "write"),
    async run(input, context) {
      const { file_path, ...edit } = input as TextEdit & { readonly file_path: string };
      return toOutcome(
        await changeFile(options, file_path, context, (bytes, encoding) =>
          applyEdits(bytes, encoding, [edit], file_path),
        ),
      );
    },
  };
}

function createMultiEditTool(options: WritingOptions): Tool {
  return {
    name: "MultiEdit",
    description:
      "Makes several replacements in one file, in their order, each on what the one before left. All are made or none. Each is as in Edit.",
    input_schema: {
      type: "object",
      properties: {
        file_path: filePath,
        edits: {
          type: "array",
          minItems: 1,
          items: {
            type: "object",
            properties: editFields,
            required: ["old_string", "new_string"],
            additionalProperties: false,
          },
        },
      },
      required: ["file_path", "edits"],
      additionalProperties: false,
    },
    promptLines: editingLines,
    subjectsOf: pathSubjects("file_path", "write"),
    async run(input, context) {
      const { file_path, edits } = input as {
        readonly file_path: string;
        readonly edits: readonly TextEdit[];
      };
      return toOutcome(
        await changeFile(options, file_path, context, (bytes, encoding) =>
          applyEdits(bytes, encoding, edits, file_path),
        ),
      );
    },
  };
}
