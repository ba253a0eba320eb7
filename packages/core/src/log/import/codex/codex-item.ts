import type { ContentBlock } from "../../../spec/index.ts";
import { isNestedTooDeeply, isObject, type JsonObject, textOf } from "../json-value.ts";

/** What one item of a rollout is to the conversation. */
export type CodexItem =
  | { readonly who: "user" | "assistant" | "system"; readonly blocks: readonly ContentBlock[] }
  /** Reasoning that came encrypted or empty: nothing of it can be read. */
  | { readonly who: "hidden" }
  | { readonly who: "unknown" }
  | { readonly problem: string };

/** Reads an item of the Responses API. Calls and outputs become tool uses and results. */
export function readCodexItem(item: JsonObject): CodexItem {
  switch (item.type) {
    case "message":
      return readMessage(item);
    case "reasoning":
      return readReasoning(item);
    case "function_call":
      return readCall(item, parsedArguments(item.arguments));
    case "custom_tool_call":
      return readCall(item, { input: item.input });
    case "local_shell_call":
      return readCall({ ...item, name: "shell" }, isObject(item.action) ? item.action : {});
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return readOutput(item);
    default:
      return { who: "unknown" };
  }
}

function readMessage({ role, content }: JsonObject): CodexItem {
  const blocks = contentBlocks(content);
  if (blocks === null) return { problem: "its content is neither text nor a list of parts" };
  if (role === "user" || role === "assistant") return { who: role, blocks };
  if (role === "system" || role === "developer") return { who: "system", blocks };
  return { problem: "its role is not known" };
}

function contentBlocks(content: unknown): readonly ContentBlock[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return null;
  return content.flatMap((part): readonly ContentBlock[] => {
    const text = isObject(part) ? textOf(part, "text") : undefined;
    return text === undefined ? [] : [{ type: "text", text }];
  });
}

/** Only what can be read of it: unsigned, as it is never sent again by us. */
function readReasoning({ summary, content }: JsonObject): CodexItem {
  const parts = [summary, content].flatMap((list) => (Array.isArray(list) ? list : []));
  const texts = parts.flatMap((part) => (isObject(part) ? (textOf(part, "text") ?? []) : []));
  if (texts.length === 0) return { who: "hidden" };
  return { who: "assistant", blocks: [{ type: "thinking", thinking: texts.join("\n\n"), signature: "" }] };
}

function readCall(item: JsonObject, input: unknown): CodexItem {
  const id = textOf(item, "call_id") ?? textOf(item, "id");
  const name = textOf(item, "name");
  if (id === undefined || name === undefined) return { problem: "it is a call without an id or a name" };
  if (isNestedTooDeeply(input)) return { problem: "its arguments are nested too deeply" };
  return { who: "assistant", blocks: [{ type: "tool_use", id, name, input }] };
}

function parsedArguments(text: unknown): unknown {
  if (typeof text !== "string" || text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : { _unparsed: text };
  } catch {
    return { _unparsed: text };
  }
}

function readOutput(item: JsonObject): CodexItem {
  const id = textOf(item, "call_id") ?? textOf(item, "id");
  if (id === undefined) return { problem: "it is an output without a call_id" };
  const { output } = item;
  const isWrapped = isObject(output);
  const text = isWrapped ? output.content : output;
  const content = typeof text === "string" ? text : (contentBlocks(text) ?? JSON.stringify(output ?? ""));
  const isError = isWrapped && output.success === false;
  const block: ContentBlock = {
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(isError && { is_error: true }),
  };
  return { who: "user", blocks: [block] };
}
