import { isRecord } from "../../json/json-values.ts";
import type { ContentBlock, MediaSource, ModelRequest, RequestMessage, TextBlock } from "../../spec/index.ts";
import { parseArguments } from "./chat-types.ts";
import { namelessFile } from "./to-chat-request.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Messages of the protocol in the Anthropic shape: what `toChatMessages` makes, and what other clients send. System
 * messages in front become the system prompt; tool messages become results, in one message with what the user says
 * behind them. Arguments that are no object are kept under `arguments`. Never throws.
 */
export function fromChatMessages(
  messages: readonly unknown[],
): Required<Pick<ModelRequest, "system" | "messages">> {
  const system: TextBlock[] = [];
  const made: { role: RequestMessage["role"]; content: ContentBlock[] }[] = [];
  for (const message of messages) {
    if (!isRecord(message)) continue;
    const role = roleOf(message.role);
    const content = contentOf(message);
    if (role === "system" && made.length === 0) {
      system.push(...(content as TextBlock[]));
      continue;
    }
    if (content.length === 0) continue;
    const last = made.at(-1);
    if (last?.role === role) last.content.push(...content);
    else made.push({ role, content });
  }
  return { system, messages: made };
}

function roleOf(role: unknown): RequestMessage["role"] {
  if (role === "assistant") return "assistant";
  return role === "system" || role === "developer" ? "system" : "user";
}

function contentOf(message: Fields): ContentBlock[] {
  const { role, content } = message;
  const blocks = partsOf(content);
  if (role === "tool" || role === "function") {
    const id = String(role === "tool" ? message.tool_call_id : message.name);
    const only = blocks.length === 1 && blocks[0]?.type === "text" ? String(blocks[0].text) : blocks;
    return [{ type: "tool_result", tool_use_id: id, content: blocks.length === 0 ? "" : only }];
  }
  if (role !== "assistant") return blocks;
  const refusal = typeof message.refusal === "string" ? partsOf(message.refusal) : [];
  return [...blocks, ...refusal, ...callsOf(message)];
}

/** Empty text is none. */
function partsOf(content: unknown): ContentBlock[] {
  const parts = Array.isArray(content) ? content : [{ type: "text", text: content }];
  return parts.flatMap((part) => (isRecord(part) ? toBlock(part) : []));
}

function toBlock(part: Fields): ContentBlock | [] {
  const { type, image_url: image, file } = part;
  if (type === "image_url" && isRecord(image)) return { type: "image", source: toSource(String(image.url)) };
  if (type === "file" && isRecord(file)) {
    const { filename, file_data: bytes, file_id: id } = file;
    const title = typeof filename === "string" && filename !== namelessFile ? { title: filename } : {};
    const source =
      typeof bytes === "string" ? toSource(bytes) : { type: "file" as const, file_id: String(id) };
    return { type: "document", source, ...title };
  }
  const text = type === "refusal" ? part.refusal : part.text;
  if (type !== "text" && type !== "refusal") return { ...part, type: String(type) };
  return typeof text === "string" && text !== "" ? { type: "text", text } : [];
}

function toSource(url: string): MediaSource {
  const comma = url.indexOf(";base64,");
  if (!url.startsWith("data:") || comma === -1) return { type: "url", url };
  return { type: "base64", media_type: url.slice("data:".length, comma), data: url.slice(comma + 8) };
}

function callsOf({ tool_calls: calls, function_call: legacy }: Fields): ContentBlock[] {
  const made = (Array.isArray(calls) ? calls : []).flatMap((call) =>
    isRecord(call) && isRecord(call.function) ? toCall(String(call.id), call.function) : [],
  );
  return isRecord(legacy) ? [...made, toCall(String(legacy.name), legacy)] : made;
}

function toCall(id: string, { name, arguments: json }: Fields): ContentBlock {
  const text = typeof json === "string" ? json : "";
  return { type: "tool_use", id, name: String(name), input: parseArguments(text) ?? { arguments: text } };
}
