import type { IncomingMessage } from "node:http";
import { answerChat } from "../chat/answer-chat.ts";
import { listChatModels, toChatModel } from "../chat/list-chat-models.ts";
import type { FoundModel } from "../emulated-models.ts";
import { isRecord } from "../request/wire-values.ts";
import type { OpenRequest } from "../request-log.ts";
import type { WireBody } from "../wire.ts";
import { answerFault } from "./answer-memory.ts";
import { answerMessage } from "./answer-message.ts";
import { type ApiError, apiError } from "./api-error.ts";
import { betasOf, checkHeaders, isBeta } from "./check-headers.ts";
import { answerError, answerJson, answerRefusal, type Exchange, maxTextLength } from "./exchange.ts";
import { judgeRequest } from "./judge-request.ts";

const malformed = apiError("invalid_request_error", "The request body is not valid JSON");
const tooLarge = apiError("request_too_large", "Request exceeds the maximum size");

/** Answers a request and writes into its record what became of it. What the emulator cannot bear is a fault with words. */
export async function handleRequest(exchange: Exchange): Promise<void> {
  try {
    await answerRequest(exchange);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const error = apiError("api_error", `emulator: ${message}`, { "x-should-retry": "false" });
    if (!exchange.response.headersSent) return answerError(exchange, error, "fault");
    exchange.response.destroy();
  }
}

async function answerRequest(exchange: Exchange): Promise<void> {
  const { request, route, record, emulation } = exchange;
  const body = await readBody(request);
  if (body.state === "abandoned") {
    record.outcome = "abandoned";
    return;
  }
  record.bodyBytes = body.bytes;
  const wrong = route.error ?? checkHeaders(request.headers, route.api, emulation.keys);
  if (wrong !== null) return answerError(exchange, wrong, "refused");
  if (body.state === "too-large") return answerError(exchange, tooLarge, "refused");
  if (route.endpoint === "models" || route.endpoint === "model") return answerModels(exchange);
  const json = parse(body.text);
  if (json === undefined) return answerError(exchange, malformed, "refused");
  if (isRecord(json)) noteBody(record, json);
  if (route.endpoint === "chat_completions") return answerChat(exchange, json);
  return route.endpoint === "count_tokens" ? countTokens(exchange, json) : answerMessage(exchange, json);
}

function noteBody(record: OpenRequest, body: WireBody): void {
  record.body = body;
  record.isStream = body.stream === true;
  if (typeof body.model === "string") record.model = body.model.slice(0, maxTextLength);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `GET /v1/models` and `GET /v1/models/{id}`. */
async function answerModels(exchange: Exchange): Promise<void> {
  const { record, emulation } = exchange;
  const fault = await emulation.script.fault(record);
  const shown = show(exchange);
  if ("error" in shown) return answerError(exchange, shown.error, "refused");
  return fault === null ? answerJson(exchange, shown.page) : answerFault(exchange, fault, shown.page);
}

function show({ route, url, emulation }: Exchange): { readonly page: object } | { readonly error: ApiError } {
  const { list, find, findAny } = emulation.models;
  const isChat = route.api === "chat";
  if (route.modelId === undefined)
    return isChat ? { page: listChatModels(list) } : listModels(list, url.searchParams);
  const found = isChat ? findAny(route.modelId) : find(route.modelId);
  if (found === undefined) return { error: apiError("not_found_error", `model: ${route.modelId}`) };
  return { page: isChat ? toChatModel(found) : toModelInfo(found) };
}

/** `POST /v1/messages/count_tokens`: what a message with this body would count, by the same rule and edits. */
async function countTokens(exchange: Exchange, json: unknown): Promise<void> {
  const { request, url, record, emulation } = exchange;
  const judged = judgeRequest(json, { emulation, betas: betasOf(request.headers), isCount: true });
  if (judged.kind === "refused") return answerRefusal(exchange, judged);
  const { body, edited } = judged;
  const { tokens } = judged.prompt;
  record.model = judged.found.model.id;
  record.promptTokens = tokens;
  record.appliedEdits = edited.applied;
  const { originalTokens } = edited;
  const isEdited = body.context_management || originalTokens !== tokens;
  const management = isEdited ? { original_input_tokens: originalTokens } : null;
  const count = {
    input_tokens: tokens,
    ...((isBeta(request.headers, url) || isEdited) && { context_management: management }),
  };
  const fault = await emulation.script.fault(record);
  return fault === null ? answerJson(exchange, count) : answerFault(exchange, fault, count);
}

/** 32 MB: the API takes no larger request. */
export const maxBodyBytes = 33_554_432;

type ReadBody =
  | { readonly state: "read"; readonly text: string; readonly bytes: number }
  | { readonly state: "too-large"; readonly bytes: number }
  | { readonly state: "abandoned" };

/**
 * Reads a body to its end. What is over the limit is read too and not kept, because a client that is still sending does
 * not see an answer.
 */
async function readBody(request: IncomingMessage): Promise<ReadBody> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    return { state: "abandoned" };
  }
  if (bytes > maxBodyBytes) return { state: "too-large", bytes };
  return { state: "read", text: Buffer.concat(chunks).toString("utf8"), bytes };
}

const defaultLimit = 20;
const maxLimit = 1_000;

interface ModelsPage {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** One page of the models, as the query asks for it. */
function listModels(
  models: readonly FoundModel[],
  query: URLSearchParams,
): { readonly page: ModelsPage } | { readonly error: ApiError } {
  const limit = Number(query.get("limit") ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    return {
      error: apiError("invalid_request_error", `limit: must be a whole number from 1 to ${maxLimit}`),
    };
  }
  const lifecycles = [...query.getAll("lifecycle"), ...query.getAll("lifecycle[]")];
  const all = lifecycles.length === 0 || lifecycles.includes("active") ? models : [];
  const afterId = query.get("after_id");
  const beforeId = query.get("before_id");
  for (const [name, id] of [
    ["after_id", afterId],
    ["before_id", beforeId],
  ] as const) {
    if (id !== null && !all.some(({ model }) => model.id === id)) {
      return { error: apiError("invalid_request_error", `${name}: there is no model with the id ${id}`) };
    }
  }
  const begin = afterId === null ? 0 : all.findIndex(({ model }) => model.id === afterId) + 1;
  const end = beforeId === null ? all.length : all.findIndex(({ model }) => model.id === beforeId);
  const rest = all.slice(begin, end);
  const shown = beforeId === null ? rest.slice(0, limit) : rest.slice(-limit);
  return {
    page: {
      data: shown.map(toModelInfo),
      has_more: shown.length < rest.length,
      first_id: shown[0]?.model.id ?? null,
      last_id: shown.at(-1)?.model.id ?? null,
    },
  };
}

const unknownDate = "1970-01-01T00:00:00Z";
const lines = ["haiku", "sonnet", "opus", "fable", "mythos"];
const support = (supported: boolean) => ({ supported });

/** A model as the Models API shows it to those who ask for betas; to others the same, with more than they ask for. */
function toModelInfo({ model, capabilities }: FoundModel) {
  const { cacheEdits, contextManagement, nativeCompaction, serverCompaction } = capabilities;
  const yes = support(true);
  const no = support(false);
  return {
    type: "model",
    id: model.id,
    display_name: model.displayName ?? model.id,
    created_at: model.createdAt ?? unknownDate,
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: lines.find((line) => model.id.includes(line)) ?? null,
    max_input_tokens: capabilities.contextWindow,
    max_tokens: capabilities.maxOutput,
    allowed_fallback_models: [],
    capabilities: {
      batch: no,
      citations: no,
      code_execution: no,
      compaction: { ...support(nativeCompaction), summarize: support(nativeCompaction) },
      context_management: {
        ...support(contextManagement),
        clear_thinking_20251015: support(contextManagement),
        clear_tool_uses_20250919: support(contextManagement),
        compact_20260112: support(contextManagement && serverCompaction),
        // In no public API, so said only where there is something to say.
        ...(cacheEdits && { cache_edits: yes }),
      },
      effort: { ...no, low: no, medium: no, high: no, xhigh: no, max: no },
      image_input: yes,
      pdf_input: yes,
      server_tools: { ...no, code_execution: no, web_search: no },
      structured_outputs: no,
      thinking: {
        ...yes,
        types: { adaptive: yes, between_tools: no, disabled: yes, enabled: yes },
      },
    },
  };
}
