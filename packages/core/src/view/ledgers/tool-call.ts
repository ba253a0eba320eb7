import {
  commandFields,
  commandTools,
  fileTools,
  pathFields,
  planTools,
  todoTools,
} from "../../catalog/known-tools.ts";
import { isRecord, type JsonObject, textField } from "../../json/json-values.ts";
import type {
  FileAction,
  FileRange,
  FileRecord,
  Ledgers,
  TodoRecord,
  TodoStatus,
  ToolUseBlock,
} from "../../spec/index.ts";

/** A call's effect on the ledgers once its result is there; the rest of its input is not kept. */
export type ToolCall = ToolPurpose & {
  readonly tool: string;
  /** Two calls of one tool with the same key try the same thing. */
  readonly key: string;
};

export type ToolPurpose =
  | {
      readonly purpose: "file";
      readonly action: FileAction;
      readonly path: string;
      readonly range?: FileRange;
    }
  | { readonly purpose: "command"; readonly command: string }
  | { readonly purpose: "todos"; readonly change: TodoChange }
  | { readonly purpose: "plan"; readonly text?: string; readonly path?: string }
  | { readonly purpose: "other" };

export function readToolCall(use: Pick<ToolUseBlock, "name" | "input">): ToolCall {
  const purpose = readToolPurpose(use);
  return { ...purpose, tool: use.name, key: keyOf(purpose, use.input) };
}

/** Reads a call by the table of known tools. Total: an input that is not as expected has no purpose but `other`. */
export function readToolPurpose({ name, input }: Pick<ToolUseBlock, "name" | "input">): ToolPurpose {
  return isRecord(input) ? purposeOf(name, input) : { purpose: "other" };
}

function purposeOf(tool: string, input: JsonObject): ToolPurpose {
  const action = fileTools.get(tool);
  const path = firstText(input, pathFields);
  if (action !== undefined && path !== undefined) {
    const range = action === "read" ? rangeOf(input) : undefined;
    return { purpose: "file", action, path, ...(range && { range }) };
  }
  const command = commandTools.has(tool) ? commandOf(input) : undefined;
  if (command !== undefined) return { purpose: "command", command };
  const manner = todoTools.get(tool);
  const change = manner === undefined ? null : readTodoChange(manner, input);
  if (change !== null) return { purpose: "todos", change };
  return planTools.has(tool) ? planOf(input) : { purpose: "other" };
}

function keyOf(purpose: ToolPurpose, input: unknown): string {
  switch (purpose.purpose) {
    case "file":
      return purpose.path;
    case "command":
      return purpose.command.trim();
    case "todos":
    case "plan":
      return "";
    case "other":
      return JSON.stringify(input) ?? "";
  }
}

function commandOf(input: JsonObject): string | undefined {
  const [list] = commandFields.map((field) => input[field]).filter((value) => Array.isArray(value));
  return (
    firstText(input, commandFields) ?? (list && list.length > 0 ? list.map(String).join(" ") : undefined)
  );
}

function planOf(input: JsonObject): ToolPurpose {
  const text = textField(input, "plan");
  const path = textField(input, "planFilePath");
  return { purpose: "plan", ...(text !== undefined && { text }), ...(path !== undefined && { path }) };
}

function rangeOf({ offset, limit }: JsonObject): FileRange | undefined {
  const range = { ...(isFiniteNumber(offset) && { offset }), ...(isFiniteNumber(limit) && { limit }) };
  return Object.keys(range).length > 0 ? range : undefined;
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function firstText(input: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const text = textField(input, field);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A call's change of the to-dos, if it succeeds. */
type TodoChange =
  | { readonly manner: "replace"; readonly todos: readonly TodoRecord[] }
  | { readonly manner: "create"; readonly content: string }
  | {
      readonly manner: "update";
      readonly id: string;
      readonly content?: string;
      readonly status?: TodoStatus | "deleted";
    };

/** `null` for an input that says nothing about to-dos. */
function readTodoChange(manner: TodoChange["manner"], input: JsonObject): TodoChange | null {
  if (manner === "replace") {
    return Array.isArray(input.todos) ? { manner, todos: input.todos.flatMap(readTodo) } : null;
  }
  const content = textField(input, "subject");
  if (manner === "create") return content === undefined ? null : { manner, content };
  const id = input.taskId;
  if (typeof id !== "string" && typeof id !== "number") return null;
  const status = input.status === "deleted" ? "deleted" : statusOf(input.status);
  return { manner, id: String(id), ...(content !== undefined && { content }), ...(status && { status }) };
}

/** The to-dos after a change that succeeded. A created one gets the id that the result names: `Task #3 created`. */
export function changedTodos(
  todos: readonly TodoRecord[],
  change: TodoChange,
  result: string,
): readonly TodoRecord[] {
  switch (change.manner) {
    case "replace":
      return change.todos;
    case "create": {
      const id = /#(\w+)/.exec(result)?.[1];
      return [...todos, { content: change.content, status: "pending", ...(id !== undefined && { id }) }];
    }
    case "update": {
      const { id, content, status } = change;
      if (status === "deleted") return todos.filter((todo) => todo.id !== id);
      const news = { ...(content !== undefined && { content }), ...(status && { status }) };
      return todos.map((todo) => (todo.id === id ? { ...todo, ...news } : todo));
    }
  }
}

/** A to-do of an unknown status is open: better to remind once too often. */
function readTodo(todo: unknown): readonly TodoRecord[] {
  const content = isRecord(todo) ? textField(todo, "content") : undefined;
  if (!isRecord(todo) || content === undefined) return [];
  return [{ content, status: statusOf(todo.status) ?? "pending" }];
}

function statusOf(status: unknown): TodoStatus | undefined {
  switch (status) {
    case "pending":
    case "in_progress":
    case "completed":
    case "cancelled":
      return status;
    default:
      return undefined;
  }
}

/** When the model last knew what is in a file; after its own edit, that is the time of the edit. */
export interface FileReading {
  readonly seq: number;
  readonly at: string;
  readonly toolUseId: string;
  /** Which part it knows; absent: the whole. */
  readonly range?: FileRange;
}

/**
 * The files whose content the model knows, by path: read, or written whole. A file that was only edited is not among
 * them. With `behind`, only readings and writes after that sequence number count: what a compaction took out of the
 * view is no longer known.
 */
export function readFileState(files: Ledgers["files"], behind = 0): ReadonlyMap<string, FileReading> {
  const state = new Map<string, FileReading>();
  for (const [path, record] of files) {
    if (knownSeq(record) <= behind) continue;
    const { seq, at, toolUseId, range } = record;
    state.set(path, { seq, at, toolUseId, ...(range && { range }) });
  }
  return state;
}

function knownSeq({ readSeq = 0, writtenSeq = 0 }: FileRecord): number {
  return Math.max(readSeq, writtenSeq);
}
