import type { IncomingHttpHeaders } from "node:http";
import { type CacheTtl, isObject, type JsonObject } from "@palimpsest/core/internal";
import { type ContentBlock, fail, ok, type Result, type TextBlock, type Tool } from "@palimpsest/core/spec";
import type { Turn } from "../match/canonical-message.ts";
import type { ClientRequest } from "../protocol/protocol.ts";

/** Reads a request of the Messages API. What it cannot read is no request of that API. */
export function readMessagesRequest(body: unknown, headers: IncomingHttpHeaders): Result<ClientRequest> {
  if (!isObject(body)) return unreadable("it is no object");
  const { model, messages } = body;
  if (typeof model !== "string" || model.trim() === "") return unreadable("it names no model");
  if (!Array.isArray(messages) || messages.length === 0) return unreadable("it has no messages");
  if (!messages.every(isMessage)) return unreadable("a message has no role or no content");
  const cacheTtl = cacheTtlOf(body, messages);
  const standsAside = whyAside(body, messages, headers);
  return ok({
    body,
    model,
    isStream: body.stream === true,
    turns: messages.map(({ role, content }) => ({ role, content }) as Turn),
    system: systemOf(body.system),
    tools: Array.isArray(body.tools) ? (body.tools.filter(isObject) as unknown as readonly Tool[]) : [],
    fields: isObject(body.thinking) ? { thinking: body.thinking } : {},
    ...(cacheTtl && { cacheTtl }),
    ...(standsAside !== undefined && { standsAside }),
  });
}

/** A marker without a time asks for five minutes. The conversation lives as long as its newest marker says. */
function cacheTtlOf(body: JsonObject, messages: readonly WireMessage[]): CacheTtl | undefined {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const holders = [body.tools, body.system].flatMap((list) => (Array.isArray(list) ? list : []));
  const marker = [...holders, ...blocks, body]
    .map((holder) => (isObject(holder) ? holder.cache_control : undefined))
    .findLast(isObject);
  if (!marker) return undefined;
  return marker.ttl === "1h" ? "1h" : "5m";
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

function isMessage(message: unknown): message is WireMessage {
  if (!isObject(message) || typeof message.role !== "string") return false;
  const { content } = message;
  if (typeof content === "string") return true;
  return (
    Array.isArray(content) && content.every((block) => isObject(block) && typeof block.type === "string")
  );
}

function systemOf(system: unknown): readonly TextBlock[] {
  if (typeof system === "string") return [{ type: "text", text: system }];
  const blocks = Array.isArray(system) ? system.filter(isObject) : [];
  return blocks.filter(({ text }) => typeof text === "string") as unknown as readonly TextBlock[];
}

/** By these the client asks the API to look after the context: two that do so would work against each other. */
const ownFields = ["context_management", "compaction", "thread", "thread_id", "message_thread"];
/** The header for context management alone asks for nothing: clients send it with every request. */
const ownBetas = /(?:^|[,\s])(compact|message-threads)-/;
const ownBlocks: ReadonlySet<string> = new Set([
  "compaction",
  "cache_edits",
  "tool_addition",
  "tool_removal",
]);

function whyAside(
  body: JsonObject,
  messages: readonly WireMessage[],
  headers: IncomingHttpHeaders,
): string | undefined {
  const field = ownFields.find((name) => body[name] !== undefined && body[name] !== null);
  if (field !== undefined) return `the client manages its context itself (${field})`;
  const beta = ownBetas.exec(String(headers["anthropic-beta"] ?? ""))?.[1];
  if (beta !== undefined) return `the client manages its context itself (${beta})`;
  const block = messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .find(({ type }) => ownBlocks.has(type));
  if (block) return `the client manages its context itself (${block.type})`;
  const role = messages.find((message) => message.role !== "user" && message.role !== "assistant")?.role;
  if (role !== undefined) return `it has messages with the role “${role}”`;
  return messages.at(-1)?.role === "user" ? undefined : "it ends with words of the assistant";
}

function unreadable(what: string): Result<never> {
  return fail("invalid-input", `The request cannot be read: ${what}.`, {
    fix: "It went to the provider as it is, which says what is wrong with it.",
  });
}
