import type { Tool } from "@palimpsest/core/spec";
import { toOutcome } from "../file-outcome.ts";
import { pathSubjects } from "../paths/path-subjects.ts";
import { changeFile } from "../writing/change-file.ts";
import type { WritingOptions } from "../writing/existing-file.ts";
import type { TextEdit } from "./apply-edit.ts";
import { applyEdits } from "./apply-edits.ts";

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
export function createEditTools(options: WritingOptions): readonly Tool[] {
  return [createEditTool(options), createMultiEditTool(options)];
}

function createEditTool(options: WritingOptions): Tool {
  return {
    name: "Edit",
    description:
      "Replaces a text in a file by another. The text must be there exactly, and only once (or set replace_all). The file must have been read before, and must not have changed since. Line ends of the file are kept: LF in the texts stands for them.",
    input_schema: {
      type: "object",
      properties: { file_path: filePath, ...editFields },
      required: ["file_path", "old_string", "new_string"],
      additionalProperties: false,
    },
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
