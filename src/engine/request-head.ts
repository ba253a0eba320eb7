import type { TextBlock, ToolDefinition } from "../spec/index.ts";

/** What stands before the messages of every request, as it is sent. */
export interface RequestHead {
  readonly model: string;
  readonly system: readonly TextBlock[];
  readonly tools: readonly ToolDefinition[];
}
