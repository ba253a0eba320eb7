import type { IncomingHttpHeaders } from "node:http";
import {
  type CacheTtl,
  createResponseReader,
  isRecord,
  type JsonObject,
  noUsage,
  parseJson,
  readUsage,
  textField,
  withoutMarker,
} from "@palimpsest/core/internal";
import {
  type ContentBlock,
  fail,
  type Model,
  type ModelRequest,
  ok,
  type Result,
  type TextBlock,
  type Tool,
} from "@palimpsest/core/spec";
import { toCapabilities } from "../../../models/anthropic/anthropic-options.ts";
import { shortenRequest } from "../keep-warm/shorten-request.ts";
import type { Turn } from "../match/match-conversation.ts";
import {
  type AnswerTap,
  type ClientRequest,
  createEventLines,
  createWholeBody,
  type Protocol,
  type RelayedAnswer,
  readError,
  type WrittenRequest,
} from "../protocol/protocol.ts";

/** Reads a request of the Messages API. What it cannot read is no request of that API. */
export function readMessagesRequest(body: unknown, headers: IncomingHttpHeaders): Result<ClientRequest> {
  if (!isRecord(body)) return refuseUnreadable("it is not an object");
  const { model, messages } = body;
  if (typeof model !== "string" || model.trim() === "") return refuseUnreadable("it names no model");
  if (!Array.isArray(messages) || messages.length === 0) return refuseUnreadable("it has no messages");
  if (!messages.every(isMessage)) return refuseUnreadable("a message has no role or no content");
  const [cacheTtl, dearestTtl] = cacheTtlsOf(body, messages);
  const standsAside = passThroughReason(body, messages, headers);
  return ok({
    body,
    model,
    isStream: body.stream === true,
    turns: messages.map(({ role, content }) => ({ role, content }) as Turn),
    system: systemOf(body.system),
    tools: Array.isArray(body.tools) ? (body.tools.filter(isRecord) as unknown as readonly Tool[]) : [],
    fields: isRecord(body.thinking) ? { thinking: body.thinking } : {},
    ...(cacheTtl && { cacheTtl }),
    ...(dearestTtl !== cacheTtl && { dearestTtl }),
    ...(standsAside !== undefined && { standsAside }),
  });
}

/**
 * Of the newest marker, by which the conversation lives, and of the dearest. A marker without a time asks for five
 * minutes.
 */
function cacheTtlsOf(body: JsonObject, messages: readonly WireMessage[]): readonly (CacheTtl | undefined)[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
  const holders = [body.tools, body.system].flatMap((list) => (Array.isArray(list) ? list : []));
  const lifetimes = [...holders, ...blocks, body]
    .map((holder) => (isRecord(holder) ? holder.cache_control : undefined))
    .filter(isRecord)
    .map(({ ttl }): CacheTtl => (ttl === "1h" ? "1h" : "5m"));
  return [lifetimes.at(-1), lifetimes.includes("1h") ? "1h" : lifetimes.at(-1)];
}

interface WireMessage {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

function isMessage(message: unknown): message is WireMessage {
  if (!isRecord(message) || typeof message.role !== "string") return false;
  const { content } = message;
  if (typeof content === "string") return true;
  return (
    Array.isArray(content) && content.every((block) => isRecord(block) && typeof block.type === "string")
  );
}

function systemOf(system: unknown): readonly TextBlock[] {
  if (typeof system === "string") return [{ type: "text", text: system }];
  const blocks = Array.isArray(system) ? system.filter(isRecord) : [];
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

function passThroughReason(
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

function refuseUnreadable(what: string): Result<never> {
  return fail("invalid-input", `The request cannot be read: ${what}.`, {
    fix: "It went to the provider unchanged, whose answer names the error.",
  });
}

/** Reads a response of the Messages API while it passes. */
function createMessagesTap({ isStream }: { readonly isStream: boolean }): AnswerTap {
  return isStream ? streamTap() : jsonTap();
}

function streamTap(): AnswerTap {
  const reader = createResponseReader();
  let answer: RelayedAnswer | null = null;
  let isBroken = false;
  const lines = createEventLines((data) => {
    const event = isBroken ? undefined : parseJson(data);
    if (!isRecord(event) || typeof event.type !== "string" || event.type === "ping") return;
    const read = event.type === "error" ? undefined : reader.read({ ...event, type: event.type });
    if (!read?.ok) {
      isBroken = true;
      answer = null;
    } else if (read.value?.type === "response-end") {
      const { id, model, content, stopReason, usage, brokenCalls, contextManagement } = read.value;
      const managed = contextManagement && { contextManagement };
      answer = brokenCalls ? null : { id, model, content, stopReason, usage, ...managed };
    }
  });
  return {
    take: lines.take,
    get isWhole() {
      return answer !== null;
    },
    end: () => answer,
  };
}

function jsonTap(): AnswerTap {
  const body = createWholeBody();
  return {
    take: body.take,
    isWhole: false,
    end() {
      const message = parseJson(body.text() ?? "");
      if (!isRecord(message) || message.type !== "message" || !Array.isArray(message.content)) return null;
      return {
        id: textField(message, "id") ?? "",
        model: textField(message, "model") ?? "",
        content: message.content as readonly ContentBlock[],
        stopReason: textField(message, "stop_reason") ?? null,
        usage: readUsage(message.usage) ?? noUsage,
        ...(isRecord(message.context_management) && { contextManagement: message.context_management }),
      };
    },
  };
}

/**
 * The client's request with the session's messages in place of its own. Everything that is not conversation stays the
 * client's; markers of the cache are the engine's, four at most: end of tools, end of system, two in the messages.
 */
function writeMessagesRequest({ body }: Pick<ClientRequest, "body">, managed: ModelRequest): WrittenRequest {
  const { cache_control: _automatic, ...rest } = body;
  const marker = markerOf(managed);
  const written = {
    ...rest,
    ...(body.system !== undefined && { system: markedSystem(body.system, marker) }),
    ...(Array.isArray(body.tools) && { tools: withMarker(body.tools, marker) }),
    messages: managed.messages,
    ...(managed.thinking !== undefined && { thinking: managed.thinking }),
  };
  return { body: Buffer.from(JSON.stringify(written)), betas: managed.betas ?? [] };
}

/** How long the engine wants what is marked to be kept. */
function markerOf({ messages }: ModelRequest): JsonObject | undefined {
  for (const { content } of [...messages].reverse()) {
    const marker = content.find((block) => "cache_control" in block);
    if (marker && "cache_control" in marker && isRecord(marker.cache_control)) return marker.cache_control;
  }
  return undefined;
}

function markedSystem(system: unknown, marker: JsonObject | undefined): unknown {
  if (typeof system === "string") {
    return marker && system.trim() !== "" ? withMarker([{ type: "text", text: system }], marker) : system;
  }
  return Array.isArray(system) ? withMarker(system, marker) : system;
}

function withMarker(list: readonly unknown[], marker: JsonObject | undefined): readonly unknown[] {
  const bare = list.map((one) => (isRecord(one) ? withoutMarker(one) : one));
  const last = bare.at(-1);
  if (!marker || !isRecord(last) || last.text === "") return bare;
  return [...bare.slice(0, -1), { ...last, cache_control: marker }];
}

/** The Messages API. */
export const anthropicProtocol: Protocol = {
  name: "anthropic",
  read: readMessagesRequest,
  write: writeMessagesRequest,
  shorten: shortenRequest,
  createTap: createMessagesTap,
  windowPaths: (model) => [`/v1/models/${encodeURIComponent(model)}`],
  readWindow: (document) => toCapabilities(document).contextWindow,
  ping: 'event: ping\ndata: {"type": "ping"}\n\n',
  readError,
  createModel,
};

async function createModel(name: string, baseUrl: string, headers: IncomingHttpHeaders): Promise<Model> {
  const [{ anthropic }, { default: Anthropic }] = await Promise.all([
    import("../../../models/anthropic/index.ts"),
    import("@anthropic-ai/sdk"),
  ]);
  const authToken = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? null;
  const apiKey = typeof headers["x-api-key"] === "string" ? headers["x-api-key"] : null;
  const client = new Anthropic({ apiKey, authToken, webhookKey: null, baseURL: baseUrl, logLevel: "off" });
  const betas = String(headers["anthropic-beta"] ?? "")
    .split(",")
    .map((beta) => beta.trim())
    .filter((beta) => beta !== "");
  return anthropic(name, { client, defaultBetas: betas });
}
