import { contentOf, isRecord, toText, type WireBlock } from "../request/wire-values.ts";
import type { WireBody } from "../wire.ts";

type Blocks = readonly WireBlock[];

/**
 * A chat request in the shape of the Messages API: what scripts look at, and what is counted. System messages in front
 * become the system prompt, tool messages become results, neighbours of one role one message. Takes any body.
 */
export function toMessagesBody(body: WireBody): WireBody {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  const begin = messages.findIndex(({ role }) => !isSystem(role));
  const head = messages.slice(0, begin === -1 ? messages.length : begin);
  const system = head.flatMap(toBlocks);
  const { tools, tool_choice: choice, stop } = body;
  return {
    model: body.model,
    max_tokens: body.max_completion_tokens ?? body.max_tokens,
    ...(system.length > 0 && { system }),
    ...(Array.isArray(tools) && { tools: tools.filter(isRecord).map(toTool) }),
    ...(choice !== undefined && choice !== null && { tool_choice: toChoice(choice) }),
    ...(stop !== undefined && stop !== null && { stop_sequences: typeof stop === "string" ? [stop] : stop }),
    ...(body.stream === true && { stream: true }),
    messages: mergeRoles(messages.slice(head.length).map(toMessage)),
  };
}

function isSystem(role: unknown): boolean {
  return role === "system" || role === "developer";
}

function toMessage(message: WireBody): { readonly role: string; readonly content: Blocks } {
  const { role } = message;
  if (role === "tool" || role === "function") {
    const id = role === "tool" ? message.tool_call_id : message.name;
    return { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: message.content }] };
  }
  if (role !== "assistant")
    return { role: isSystem(role) ? "system" : toText(role), content: toBlocks(message) };
  return { role: "assistant", content: [...toBlocks(message), ...callsOf(message)] };
}

/** Text that is empty is none. */
function toBlocks(message: WireBody): Blocks {
  return contentOf(message)
    .map(toBlock)
    .filter(({ type, text }) => type !== "text" || text !== "");
}

function toBlock(part: WireBlock): WireBlock {
  if (part.type === "refusal") return { type: "text", text: part.refusal };
  if (part.type === "image_url" && isRecord(part.image_url))
    return { type: "image", source: toSource(part.image_url.url) };
  if (part.type === "file" && isRecord(part.file)) {
    const { file_data: bytes, file_id: id, filename: title } = part.file;
    const source = bytes === undefined ? { type: "file", file_id: id } : toSource(bytes);
    return { type: "document", source, ...(title !== undefined && { title }) };
  }
  return part;
}

function toSource(url: unknown): WireBlock {
  const [, mediaType, data] = /^data:([^;,]*);base64,(.*)$/s.exec(toText(url)) ?? [];
  return data === undefined ? { type: "url", url } : { type: "base64", media_type: mediaType, data };
}

function callsOf({ tool_calls: calls, function_call: legacy }: WireBody): Blocks {
  const made = (Array.isArray(calls) ? calls.filter(isRecord) : []).map(({ id, function: called }) =>
    toCall(id, isRecord(called) ? called : {}),
  );
  return isRecord(legacy) ? [...made, toCall(legacy.name, legacy)] : made;
}

function toCall(id: unknown, { name, arguments: json }: WireBlock): WireBlock {
  return { type: "tool_use", id, name, input: parse(json) };
}

/** Arguments that are no JSON stay what they are. */
function parse(json: unknown): unknown {
  if (typeof json !== "string") return json;
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

function toTool({ function: definition }: WireBody): WireBlock {
  const { name, description, parameters } = isRecord(definition) ? definition : {};
  return {
    name,
    ...(description !== undefined && { description }),
    input_schema: parameters ?? { type: "object", properties: {} },
  };
}

function toChoice(choice: unknown): WireBlock {
  if (isRecord(choice))
    return { type: "tool", name: isRecord(choice.function) ? choice.function.name : undefined };
  return { type: choice === "required" ? "any" : choice };
}

function mergeRoles(messages: readonly { readonly role: string; readonly content: Blocks }[]) {
  const made: { role: string; content: WireBlock[] }[] = [];
  for (const { role, content } of messages) {
    const last = made.at(-1);
    if (last?.role === role) last.content.push(...content);
    else made.push({ role, content: [...content] });
  }
  return made;
}
