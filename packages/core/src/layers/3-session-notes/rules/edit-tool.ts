import { editToolName } from "../../../catalog/known-tools.ts";
import type { Tool } from "../../../spec/index.ts";

/** What the tool must take for notes to be edited with it. */
const fields = ["file_path", "old_string", "new_string"];

/** Whether a session's tools have an Edit as this project knows it: another one cannot be confined to a file. */
export function hasEditTool(tools: readonly Tool[]): boolean {
  return tools.some(({ name, input_schema: schema, isDeferred }) => {
    const properties = schema.properties;
    if (name !== editToolName || isDeferred || typeof properties !== "object" || properties === null)
      return false;
    return fields.every((field) => Object.hasOwn(properties, field));
  });
}
