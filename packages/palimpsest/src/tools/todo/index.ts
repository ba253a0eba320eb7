import type { TodoStatus, Tool } from "@palimpsest/core/spec";

interface Todo {
  readonly content: string;
  readonly status: TodoStatus;
}

const statuses: readonly TodoStatus[] = ["pending", "in_progress", "completed", "cancelled"];

/**
 * The list of what is to be done. The tool keeps nothing: the ledgers read its calls from the log, so the list survives
 * compaction and restart.
 */
export const todoTool: Tool = {
  name: "TodoWrite",
  description:
    "Writes the whole list of what is to be done; the new list takes the place of the old one. Use it for work of three steps or more. Set a step to in_progress when you begin it and to completed as soon as it is done; one at a time.",
  input_schema: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        maxItems: 200,
        items: {
          type: "object",
          properties: {
            content: { type: "string", minLength: 1, maxLength: 2_000, description: "What is to be done." },
            status: { type: "string", enum: statuses },
            activeForm: {
              type: "string",
              description: "The same while it is being done, for a narrow place.",
            },
          },
          required: ["content", "status"],
        },
      },
    },
    required: ["todos"],
    additionalProperties: false,
  },
  promptLines: [
    {
      section: "work",
      text: "Keep a list with TodoWrite for work of more than a few steps, and keep it true.",
    },
  ],
  isReadOnly: true,
  async run(input) {
    const { todos } = input as { readonly todos: readonly Todo[] };
    if (todos.length === 0) return { content: "The list is empty now." };
    const counts = statuses
      .map((status) => ({ status, count: todos.filter((todo) => todo.status === status).length }))
      .filter(({ count }) => count > 0);
    const running = todos.filter(({ status }) => status === "in_progress").length;
    const said = `The list is written: ${counts.map(({ status, count }) => `${count} ${status}`).join(", ")}.`;
    return { content: running > 1 ? `${said} Better have one in_progress at a time.` : said };
  },
};
