import {
  commandFields,
  commandTools,
  fileTools,
  pathFields,
  planTools,
  todoTools,
} from "../../catalog/known-tools.ts";
import { isObject, type JsonObject, textOf } from "../../log/import/json-value.ts";
import type { FileAction, FileRange, ToolUseBlock } from "../../spec/index.ts";
import { readTodoChange, type TodoChange } from "./todo-change.ts";

/** What a call means to the ledgers once its result is there; the rest of its input is not kept. */
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
  return isObject(input) ? purposeOf(name, input) : { purpose: "other" };
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
  const text = textOf(input, "plan");
  const path = textOf(input, "planFilePath");
  return { purpose: "plan", ...(text !== undefined && { text }), ...(path !== undefined && { path }) };
}

function rangeOf({ offset, limit }: JsonObject): FileRange | undefined {
  const range = { ...(isCount(offset) && { offset }), ...(isCount(limit) && { limit }) };
  return Object.keys(range).length > 0 ? range : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function firstText(input: JsonObject, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const text = textOf(input, field);
    if (text !== undefined) return text;
  }
  return undefined;
}
