import { isObject, type JsonObject, textOf } from "../../log/import/json-value.ts";
import type { TodoRecord, TodoStatus } from "../../spec/index.ts";

/** What a call does to the to-dos, if it succeeds. */
export type TodoChange =
  | { readonly manner: "replace"; readonly todos: readonly TodoRecord[] }
  | { readonly manner: "create"; readonly content: string }
  | {
      readonly manner: "update";
      readonly id: string;
      readonly content?: string;
      readonly status?: TodoStatus | "deleted";
    };

/** `null` for an input that says nothing about to-dos. */
export function readTodoChange(manner: TodoChange["manner"], input: JsonObject): TodoChange | null {
  if (manner === "replace") {
    return Array.isArray(input.todos) ? { manner, todos: input.todos.flatMap(readTodo) } : null;
  }
  const content = textOf(input, "subject");
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
  const content = isObject(todo) ? textOf(todo, "content") : undefined;
  if (!isObject(todo) || content === undefined) return [];
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
