/**
 * Of LangChain 1.x, what the adapter uses: the package is an optional peer and not installed where this one is built. A
 * test compiles the adapter's use against the real package.
 */
declare module "langchain" {
  export interface ToolCall {
    readonly id?: string;
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly type?: "tool_call";
  }
  interface UsageMetadata {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
  }
  export class BaseMessage {
    readonly content: string | readonly { readonly type: string; readonly [field: string]: unknown }[];
    readonly id?: string;
    readonly type: string;
  }
  export class HumanMessage extends BaseMessage {
    constructor(fields: { content: string | { type: string; [field: string]: unknown }[] });
  }
  export class AIMessage extends BaseMessage {
    constructor(fields: {
      content: string | { type: string; [field: string]: unknown }[];
      tool_calls?: ToolCall[];
      id?: string;
    });
    readonly tool_calls?: readonly ToolCall[];
    readonly usage_metadata?: UsageMetadata;
    readonly response_metadata?: { readonly model?: unknown; readonly model_name?: unknown };
  }
  export class ToolMessage extends BaseMessage {
    constructor(fields: {
      content: string | { type: string; [field: string]: unknown }[];
      tool_call_id: string;
      name?: string;
      status?: "success" | "error";
    });
    readonly tool_call_id: string;
    readonly name?: string;
    readonly status?: "success" | "error";
  }
  export interface AgentMiddleware {
    readonly name: string;
  }
  export interface ModelRequest {
    readonly messages: BaseMessage[];
  }
  export function createMiddleware(options: {
    name: string;
    wrapModelCall?: (
      request: ModelRequest,
      handler: (request: ModelRequest) => Promise<AIMessage>,
    ) => Promise<AIMessage>;
  }): AgentMiddleware;
}
