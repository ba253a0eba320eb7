import type { ToolDefinition } from "../../spec/index.ts";
import type { ChatTool } from "./chat-types.ts";
import { isRecord } from "./is-record.ts";

/** Tools as functions. Those without a schema of their own are run by another provider, and dropped. */
export function toChatTools(definitions: readonly ToolDefinition[]): {
  readonly tools: ChatTool[];
  readonly dropped: readonly string[];
} {
  const tools: ChatTool[] = [];
  const dropped: string[] = [];
  for (const definition of definitions) {
    const {
      name,
      description,
      input_schema: schema,
      strict,
    } = definition as ToolDefinition & {
      readonly strict?: unknown;
    };
    if (!isRecord(schema)) {
      dropped.push(name ?? String((definition as { readonly type?: unknown }).type));
      continue;
    }
    tools.push({
      type: "function",
      function: {
        name,
        ...(description !== undefined && { description }),
        // An object without properties is refused by OpenAI.
        parameters:
          schema.type === "object" && !isRecord(schema.properties) ? { ...schema, properties: {} } : schema,
        ...(typeof strict === "boolean" && { strict }),
      },
    });
  }
  return { tools, dropped };
}

/** The fields that say which tools may, or must, be called. */
export function toToolChoice(choice: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(choice)) return {};
  const { type, name, disable_parallel_tool_use: isAlone } = choice;
  return {
    ...(type === "auto" && { tool_choice: "auto" }),
    ...(type === "none" && { tool_choice: "none" }),
    ...(type === "any" && { tool_choice: "required" }),
    ...(type === "tool" && { tool_choice: { type: "function", function: { name } } }),
    ...(isAlone === true && { parallel_tool_calls: false }),
  };
}
