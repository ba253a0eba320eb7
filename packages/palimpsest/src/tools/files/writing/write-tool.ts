import { ok, type Result, type Tool, type ToolContext, type ToolOutcome } from "@palimpsest/core/spec";
import { toOutcome } from "../file-outcome.ts";
import { findTarget } from "../paths/find-target.ts";
import { refuseKind } from "../paths/open-target.ts";
import { pathSubjects } from "../paths/path-subjects.ts";
import { showPath } from "../paths/show-path.ts";
import { stampOf } from "../reading/read-whole.ts";
import { existingFile, type WritingOptions } from "./existing-file.ts";
import { replaceFile } from "./replace-file.ts";

interface WriteInput {
  readonly file_path: string;
  readonly content: string;
}

export function createWriteTool(options: WritingOptions): Tool {
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
