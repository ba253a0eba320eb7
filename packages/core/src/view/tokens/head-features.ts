import type { TextBlock, ToolDefinition } from "../../spec/index.ts";
import type { Features } from "./features.ts";
import { featuresOf } from "./features-of.ts";

/** A tool definition as the text of its JSON: definitions count by the rule for text, descriptions and schema alike. */
export function toolText(tool: ToolDefinition): TextBlock {
  return { type: "text", text: JSON.stringify(tool) };
}

/** The features of all that stands before the messages of a request. */
export function headFeatures(system: readonly TextBlock[], tools: readonly ToolDefinition[]): Features {
  return featuresOf([...system, ...tools.map(toolText)]);
}
