/** A tool as the model sees it; the bytes are part of the prefix. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: Readonly<Record<string, unknown>>;
}

export interface Tool extends ToolDefinition {
  /** Characters a result may have before it goes to disk; absent: the layer's default. `Infinity` pages itself. */
  readonly maxResultChars?: number;
  readonly isReadOnly?: boolean;
  /** What an MCP server says about the tool. Never sent. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}
