import type { IncomingHttpHeaders } from "node:http";
import {
  createChunkReader,
  createRuntime,
  isRecord,
  type JsonObject,
  parseJson,
  toChatMessages,
  withoutMarkers,
} from "@palimpsest/core/internal";
import {
  fail,
  type Model,
  type ModelEvent,
  type ModelRequest,
  ok,
  type RequestMessage,
  type Result,
  type TextBlock,
  type Tool,
} from "@palimpsest/core/spec";
import { readCapabilities } from "../../../models/openai/connection.ts";
import { fromChatMessages } from "../../../models/openai/index.ts";
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

/** Reads a chat completion. Results that answer one message of the assistant are one turn. */
export function readChatRequest(body: unknown): Result<ClientRequest> {
  if (!isRecord(body)) return refuseUnreadable("it is not an object");
  const { model, messages } = body;
  if (typeof model !== "string" || model.trim() === "") return refuseUnreadable("it names no model");
  if (!Array.isArray(messages) || messages.length === 0) return refuseUnreadable("it has no messages");
  if (!messages.every(isRecord)) return refuseUnreadable("a message is not an object");
  const begin = messages.findIndex((message) => !isSystem(message));
  if (begin === -1) return refuseUnreadable("it has no message of the user");
  const turns = groupsOf(messages.slice(begin)).flatMap(toTurn);
  const standsAside = passThroughReason(body, messages, begin, turns);
  return ok({
    body,
    model,
    isStream: body.stream === true,
    turns,
    system: systemOf(messages.slice(0, begin)),
    tools: toolsOf(body.tools),
    fields: {},
    ...(standsAside !== undefined && { standsAside }),
  });
}

const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer";

function systemOf(messages: readonly JsonObject[]): readonly TextBlock[] {
  return fromChatMessages(messages).system;
}

function groupsOf(messages: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const groups: JsonObject[][] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role === "tool" && last?.[0]?.role === "tool") last.push(message);
    else groups.push([message]);
  }
  return groups;
}

function toTurn(raw: readonly JsonObject[]): readonly Turn[] {
  return fromChatMessages(raw).messages.flatMap(({ role, content }) =>
    role === "system" ? [] : [{ role, content, raw }],
  );
}

function toolsOf(tools: unknown): readonly Tool[] {
  const functions = (Array.isArray(tools) ? tools : []).filter(isRecord).map((tool) => tool.function);
  return functions.filter(isRecord).map(({ name, description, parameters }) => ({
    name: String(name),
    ...(typeof description === "string" && { description }),
    input_schema: isRecord(parameters) ? parameters : { type: "object" },
  })) as unknown as readonly Tool[];
}

/** Ids that a session takes as they are. */
const plainId = /^[a-zA-Z0-9_-]{1,64}$/;

function passThroughReason(
  body: JsonObject,
  messages: readonly JsonObject[],
  begin: number,
  turns: readonly Turn[],
): string | undefined {
  if (messages.slice(begin).some(isSystem))
    return "it has system messages behind the first words of the user";
  if (typeof body.n === "number" && body.n > 1) return "it asks for several answers";
  if (turns.length === 0 || turns.at(-1)?.role !== "user") return "it does not end with words of the user";
  const ids = messages.flatMap((message) =>
    (Array.isArray(message.tool_calls) ? message.tool_calls : []).filter(isRecord).map(({ id }) => id),
  );
  return ids.every((id) => typeof id === "string" && plainId.test(id))
    ? undefined
    : "it names calls in a way that cannot be kept";
}

function refuseUnreadable(what: string): Result<never> {
  return fail("invalid-input", `The request cannot be read: ${what}.`, {
    fix: "It went to the provider unchanged, whose answer names the error.",
  });
}

/** Reads a chat completion while it passes. Reasoning is no part of a conversation here: nobody sends it back. */
function createChatTap(request: { readonly isStream: boolean; readonly model: string }): AnswerTap {
  return request.isStream ? streamTap(request.model) : jsonTap(request.model);
}

function streamTap(model: string): AnswerTap {
  const reader = createChunkReader({ ids: createRuntime().ids, model });
  let isBroken = false;
  let isWhole = false;
  const lines = createEventLines((data) => {
    if (data === "[DONE]") isWhole = !isBroken;
    if (isBroken || isWhole || data === "") return;
    isBroken = !reader.read(parseJson(data)).ok;
  });
  return {
    take: lines.take,
    get isWhole() {
      return isWhole;
    },
    end: () => (isBroken ? null : answerOfEvents(reader.end())),
  };
}

function jsonTap(model: string): AnswerTap {
  const body = createWholeBody();
  return {
    take: body.take,
    isWhole: false,
    end() {
      const reader = createChunkReader({ ids: createRuntime().ids, model });
      const read = reader.read(parseJson(body.text() ?? ""));
      return read.ok ? answerOfEvents(reader.end()) : null;
    },
  };
}

function answerOfEvents(
  events: ReturnType<ReturnType<typeof createChunkReader>["end"]>,
): RelayedAnswer | null {
  const end = events.ok ? events.value.find(isEnd) : undefined;
  if (!end || end.brokenCalls) return null;
  const { id, model, stopReason, usage } = end;
  const content = end.content.filter(({ type }) => type !== "thinking");
  return { id, model, content, stopReason, usage };
}

type ResponseEnd = Extract<ModelEvent, { readonly type: "response-end" }>;

const isEnd = (event: ModelEvent): event is ResponseEnd => event.type === "response-end";

/**
 * The client's request with the session's messages in place of its own. What stands there as the client sent it is
 * sent in the client's own form, with fields that only its server knows.
 */
function writeChatRequest(
  { body, turns }: Pick<ClientRequest, "body" | "turns">,
  managed: ModelRequest,
): WrittenRequest {
  const given = Array.isArray(body.messages) ? body.messages.filter(isRecord) : [];
  const begin = given.findIndex(({ role }) => role !== "system" && role !== "developer");
  const known = new Map(turns.map((turn) => [keyOf(turn), turn.raw ?? []]));
  const messages = managed.messages.flatMap((message) => {
    const raw = known.get(keyOf(message));
    return (
      raw ?? toChatMessages({ messages: [bareMessage(message)] }, { images: true, documents: true }).messages
    );
  });
  const written = { ...body, messages: [...given.slice(0, Math.max(0, begin)), ...messages] };
  return { body: Buffer.from(JSON.stringify(written)), betas: [] };
}

function bareMessage(message: RequestMessage): RequestMessage {
  return { ...message, content: message.content.map(withoutMarkers) };
}

/** Equal for a turn and the message that a session makes of it, where that is made of nothing else. */
function keyOf({ role, content }: Turn | RequestMessage): string {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return JSON.stringify([role, blocks.map(withoutMarkers)]);
}

/** Chat completions, of OpenAI and of everybody who speaks like it. */
export const openaiProtocol: Protocol = {
  name: "openai",
  read: readChatRequest,
  write: writeChatRequest,
  createTap: createChatTap,
  windowPaths: (model) => ["/v1/models", `/v1/models/${encodeURIComponent(model)}`],
  readWindow(document, model) {
    const models = isRecord(document) && Array.isArray(document.data) ? document.data : [document];
    return readCapabilities(models, model, true).contextWindow;
  },
  ping: ": waiting\n\n",
  readError,
  createModel,
};

async function createModel(name: string, baseUrl: string, headers: IncomingHttpHeaders): Promise<Model> {
  const { openai } = await import("../../../models/openai/index.ts");
  const apiKey = /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1];
  return openai(name, { baseURL: `${baseUrl}/v1`, ...(apiKey !== undefined && { apiKey }) });
}
