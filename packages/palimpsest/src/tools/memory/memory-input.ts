import { fail, ok, type Result } from "@palimpsest/core/spec";
import { type MemoryPath, memoryTexts, toMemoryPath } from "./memory-path.ts";

export type MemoryCommand =
  | { readonly command: "view"; readonly path: MemoryPath; readonly range?: readonly number[] }
  | { readonly command: "create"; readonly path: MemoryPath; readonly text: string }
  | {
      readonly command: "str_replace";
      readonly path: MemoryPath;
      readonly old: string;
      readonly replacement: string;
    }
  | { readonly command: "insert"; readonly path: MemoryPath; readonly line: number; readonly text: string }
  | { readonly command: "delete"; readonly path: MemoryPath }
  | { readonly command: "rename"; readonly path: MemoryPath; readonly to: MemoryPath };

const path = { type: "string", description: "Below /memories, such as /memories/topic.md." };

/** The input of the API's own tool, for models of other providers and for checking. */
export const memoryInputSchema = {
  type: "object",
  properties: {
    command: {
      type: "string",
      enum: ["view", "create", "str_replace", "insert", "delete", "rename"],
      description: "What to do.",
    },
    path,
    view_range: {
      type: "array",
      items: { type: "integer" },
      minItems: 2,
      maxItems: 2,
      description: "view: the first and the last line to show; -1 is the end.",
    },
    file_text: { type: "string", description: "create: all of the file." },
    old_str: { type: "string", description: "str_replace: the text to replace; it must stand there once." },
    new_str: { type: "string", description: "str_replace: the text to put there; empty removes it." },
    insert_line: { type: "integer", description: "insert: behind which line; 0 is the beginning." },
    insert_text: { type: "string", description: "insert: the lines to put there." },
    old_path: { ...path, description: "rename: what it is called now." },
    new_path: { ...path, description: "rename: what it shall be called." },
  },
  required: ["command"],
} as const;

type InputFields = Readonly<Record<string, unknown>>;

/** The command that an input which fits the schema stands for. */
export function readMemoryInput(input: unknown): Result<MemoryCommand> {
  const given = input as InputFields;
  const command = given.command as MemoryCommand["command"];
  const where = pathOf(given, command, command === "rename" ? "old_path" : "path");
  if (!where.ok) return where;
  const path = where.value;
  if (command === "view") {
    const range = given.view_range as readonly number[] | undefined;
    return ok({ command, path, ...(range && { range }) });
  }
  if (command === "delete") return ok({ command, path });
  if (command === "rename") {
    const to = pathOf(given, command, "new_path");
    return to.ok ? ok({ command, path, to: to.value }) : to;
  }
  return readChange(given, command, path);
}

function readChange(
  given: InputFields,
  command: "create" | "str_replace" | "insert",
  path: MemoryPath,
): Result<MemoryCommand> {
  if (command === "create") {
    const text = requiredText(given, command, "file_text");
    return text.ok ? ok({ command, path, text: text.value }) : text;
  }
  if (command === "insert") {
    const text = requiredText(given, command, "insert_text");
    if (!text.ok) return text;
    if (typeof given.insert_line !== "number") return refuseMissing(command, "insert_line");
    return ok({ command, path, line: given.insert_line, text: text.value });
  }
  const old = requiredText(given, command, "old_str");
  if (!old.ok) return old;
  const replacement = typeof given.new_str === "string" ? given.new_str : "";
  return ok({ command, path, old: old.value, replacement });
}

function pathOf(given: InputFields, command: string, field: string): Result<MemoryPath> {
  const text = requiredText(given, command, field);
  return text.ok ? toMemoryPath(text.value) : text;
}

function requiredText(given: InputFields, command: string, field: string): Result<string> {
  const value = given[field];
  return typeof value === "string" ? ok(value) : refuseMissing(command, field);
}

function refuseMissing(command: string, field: string): Result<never> {
  return fail("invalid-input", memoryTexts.missing(command, field));
}
