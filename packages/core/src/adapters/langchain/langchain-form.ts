import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "langchain";
import { type ContentBlock, isBlock, type Usage } from "../../spec/index.ts";
import { type ForeignForm, type Piece, type ReadMessage, valueKey } from "../bridge/create-bridge.ts";

/** Where a block came from: its message, which says more than the block does. */
type Source = BaseMessage;

/** Messages of LangChain. What its providers cache is theirs to say: breakpoints are not marked. */
export const langChainForm: ForeignForm<BaseMessage, Source> = {
  read,
  write: (role, pieces) => (role === "assistant" ? [assistantMessage(pieces)] : pieces.map(userMessage)),
  mark: (message) => message,
};

function read(message: BaseMessage): ReadMessage<Source> | null {
  const blocks = blocksOf(message);
  if (!blocks) return null;
  const role = message.type === "ai" ? "assistant" : "user";
  const usage = role === "assistant" ? toUsage((message as AIMessage).usage_metadata) : undefined;
  return {
    role,
    blocks,
    parts: blocks.map(() => message),
    ...(usage && { usage }),
    ...(message.id && { id: message.id }),
  };
}

/** `null` for system prompts. */
function blocksOf(message: BaseMessage): readonly ContentBlock[] | null {
  switch (message.type) {
    case "human":
      return contentBlocks(message.content);
    case "ai":
      return [...spokenBlocks(message), ...callBlocks(message as AIMessage)];
    case "tool":
      return [resultBlock(message as ToolMessage)];
    default:
      return null;
  }
}

function contentBlocks(content: BaseMessage["content"]): readonly ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return content.map(
    (block): ContentBlock =>
      block.type === "text" && typeof block.text === "string"
        ? { type: "text", text: block.text }
        : { type: `langchain-${block.type}`, block },
  );
}

/** Calls stand in the content of some providers too; `tool_calls` has them for all. */
function spokenBlocks({ content }: BaseMessage): readonly ContentBlock[] {
  const isCall = ({ type }: ContentBlock) => /tool_use|tool_call|input_json/.test(type);
  return contentBlocks(content).filter((block) => !isCall(block));
}

function callBlocks({ tool_calls = [] }: AIMessage): readonly ContentBlock[] {
  return tool_calls.map(({ id = "", name, args }) => ({ type: "tool_use", id, name, input: args }));
}

function resultBlock({ tool_call_id, content, status }: ToolMessage): ContentBlock {
  const text = typeof content === "string" ? content : valueKey(content);
  const isError = status === "error";
  return {
    type: "tool_result",
    tool_use_id: tool_call_id,
    content: text,
    ...(isError && { is_error: true }),
  };
}

function toUsage(usage: AIMessage["usage_metadata"]): Usage | undefined {
  if (!usage) return undefined;
  const { input_tokens, output_tokens, input_token_details: details } = usage;
  const cacheRead = details?.cache_read ?? 0;
  const cacheCreation = details?.cache_creation ?? 0;
  const input = Math.max(0, input_tokens - cacheRead - cacheCreation);
  return { input, output: output_tokens, cacheRead, cacheCreation };
}

/** One message for what is left of an assistant's: text first, then calls. */
function assistantMessage(pieces: readonly Piece<Source>[]): AIMessage {
  const said = pieces.flatMap(({ block }) => (isBlock(block, "tool_use") ? [] : [toContent(block)]));
  const calls = pieces.flatMap(({ block }) =>
    isBlock(block, "tool_use")
      ? [
          {
            id: block.id,
            name: block.name,
            args: block.input as Record<string, unknown>,
            type: "tool_call" as const,
          },
        ]
      : [],
  );
  return new AIMessage({ content: said, tool_calls: calls });
}

function userMessage({ block, part }: Piece<Source>): BaseMessage {
  if (part && part.type === "tool") return part;
  if (isBlock(block, "tool_result")) {
    const content = typeof block.content === "string" ? block.content : valueKey(block.content ?? []);
    const status = block.is_error ? "error" : "success";
    return new ToolMessage({ content, tool_call_id: block.tool_use_id, status });
  }
  return new HumanMessage({ content: [toContent(block)] });
}

interface ForeignBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

function toContent(block: ContentBlock): ForeignBlock {
  if (isBlock(block, "text")) return { type: "text", text: block.text };
  const { block: original } = block as { readonly block?: ForeignBlock };
  return original ?? { type: "text", text: valueKey(block) };
}
