import { isRecord } from "../../json/json-values.ts";
import {
  type BrokenCall,
  type ContentBlock,
  fail,
  type Ids,
  type ModelEvent,
  type ModelResponse,
  ok,
  type Result,
  type Usage,
} from "../../spec/index.ts";
import { toRequestId } from "../../view/request/request-ids.ts";
import { classifyFailure } from "../failures/classify-failure.ts";
import { brokenUsage } from "../mask-secrets.ts";
import { createCallTable, type OpenCall, toCallPieces } from "./call-table.ts";
import { parseArguments } from "./chat-types.ts";

export interface ChunkReaderOptions {
  /** Names what the server has not named. */
  readonly ids: Ids;
  /** The model asked for: the server may say better. */
  readonly model: string;
  /** Ids of the calls that the request has: a server that begins to count anew gets none of them twice. */
  readonly takenIds?: Iterable<string>;
}

/** Chunks of one response, in order, to events. */
interface ChunkReader {
  read(chunk: unknown): Result<readonly ModelEvent[]>;
  /** The model has said why it stopped: the content is whole, whatever becomes of the connection. */
  readonly isFinished: boolean;
  /** Nothing comes any more: what is open ends, with `response-end` as the last; `disconnected` if it came too early. */
  end(): Result<readonly ModelEvent[]>;
}

/** A longer one is not kept. */
const maxIdChars = 64;

export function createChunkReader({ ids, model, takenIds = [] }: ChunkReaderOptions): ChunkReader {
  const taken = new Set([...takenIds].map(toRequestId));
  const content = new Map<number, ContentBlock>();
  const table = createCallTable();
  let events: ModelEvent[] = [];
  let response: { readonly id: string; readonly model: string } | undefined;
  let usage: unknown;
  let reason = "";
  let refusal = "";
  let next = 0;
  const texts = createTextBlocks({
    next: () => next++,
    give: (event) => events.push(event),
    keep: (index, block) => content.set(index, block),
  });

  function begin(chunk: Readonly<Record<string, unknown>>): void {
    if (response !== undefined) return;
    response = {
      id: typeof chunk.id === "string" && chunk.id !== "" ? chunk.id : ids.next("chatcmpl"),
      model: typeof chunk.model === "string" && chunk.model !== "" ? chunk.model : model,
    };
    events.push({ type: "response-start", ...response });
  }

  function nameCall({ serverId }: OpenCall): string {
    const isKept = serverId !== "" && serverId.length <= maxIdChars && !taken.has(toRequestId(serverId));
    const id = isKept ? serverId : ids.next("call");
    taken.add(toRequestId(id));
    return id;
  }

  function giveCall(call: OpenCall): void {
    if (call.name === "") return;
    if (call.block === undefined) {
      texts.close();
      call.block = { index: next++, id: nameCall(call) };
      const block = { type: "tool_use", id: call.block.id, name: call.name, input: {} };
      events.push({ type: "block-start", index: call.block.index, block });
    }
    const json = call.json.slice(call.sent);
    call.sent = call.json.length;
    if (json !== "")
      events.push({ type: "block-delta", index: call.block.index, delta: { type: "input", json } });
  }

  function readDelta(delta: Readonly<Record<string, unknown>>): void {
    texts.add("thinking", reasoningOf(delta));
    texts.add("text", partsText(delta.content));
    const refused = partsText(delta.refusal);
    refusal += refused;
    texts.add("text", refused);
    for (const piece of toCallPieces(delta)) giveCall(table.take(piece));
  }

  /** Ends a call; gives it back where it is broken. */
  function endCall(call: OpenCall): BrokenCall | [] {
    const { name, json, block } = call;
    if (name === "" && json.trim() === "") return [];
    const input = block && parseArguments(json);
    const whole = block && input && ({ type: "tool_use", id: block.id, name, input } as const);
    if (block) events.push({ type: "block-end", index: block.index, ...(whole && { block: whole }) });
    if (block && whole) content.set(block.index, whole);
    return whole ? [] : { toolUseId: block?.id ?? nameCall(call), name, json };
  }

  function take(): Result<readonly ModelEvent[]> {
    const given = events;
    events = [];
    return ok(given);
  }

  return {
    get isFinished() {
      return reason !== "";
    },
    read(chunk) {
      if (!isRecord(chunk))
        return fail("malformed-response", "The server sent a chunk that is not an object.", retryable);
      begin(chunk);
      if (isRecord(chunk.usage)) usage = chunk.usage;
      const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isRecord) : [];
      const choice = choices.find(({ index }) => index === 0 || typeof index !== "number");
      const delta = choice?.delta ?? choice?.message;
      if (isRecord(delta)) readDelta(delta);
      const { finish_reason: finished, error } = choice ?? {};
      if (finished === "error") return failureOf(error, model);
      if (typeof finished === "string" && finished !== "") reason = finished;
      return take();
    },
    end() {
      if (reason === "" || response === undefined)
        return fail("disconnected", "The stream ended before the answer did.", retryable);
      texts.close();
      const brokenCalls = table.calls.flatMap(endCall);
      const reportedUsage = brokenUsage(usage, ["prompt_tokens", "completion_tokens"]);
      const hasCalls = brokenCalls.length > 0 || table.calls.some(({ block }) => block !== undefined);
      events.push({
        type: "response-end",
        ...response,
        content: [...content].sort(([a], [b]) => a - b).map(([, block]) => block),
        ...(brokenCalls.length > 0 && { brokenCalls }),
        ...toStop({ reason, hasCalls, refusal }),
        usage: toUsage(reportedUsage === undefined ? usage : undefined),
        ...(reportedUsage !== undefined && { reportedUsage }),
      });
      return take();
    },
  };
}

const retryable = { retryable: true, fix: "Send the request again." };

/** An answer that an error ended. Most failures behind the first word are the server's; a prompt that is too long stays so. */
function failureOf(error: unknown, model: string): Result<never> {
  const said = classifyFailure({ error }, { provider: "The server", model });
  if (said.code === "prompt-too-long") return { ok: false, error: said };
  return fail("server-error", errorText(error), retryable);
}

function errorText(error: unknown): string {
  const said = isRecord(error) && typeof error.message === "string" ? `: ${error.message}` : ".";
  return `The server ended the answer with an error${said}`;
}

/** A model's thinking, under the names that servers have for it: the first that is there. */
function reasoningOf(delta: Readonly<Record<string, unknown>>): string {
  const { reasoning_content: content, reasoning } = delta;
  return partsText(content) || partsText(reasoning);
}

/** Text as a string or, with some servers, as parts; null and what is no text are none. */
function partsText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (isRecord(part) && typeof part.text === "string" ? part.text : "")).join("");
}

/**
 * The usage of a response. Where the server says nothing all parts are 0: the engine takes a prompt of no tokens for a
 * response that was not measured, and goes on with its estimate.
 */
export function toUsage(usage: unknown): Usage {
  if (!isRecord(usage)) return { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const prompt = toCount(usage.prompt_tokens);
  const cacheRead = Math.min(prompt, toCount(details.cached_tokens ?? usage.prompt_cache_hit_tokens));
  const cacheCreation = Math.min(prompt - cacheRead, toCount(details.cache_write_tokens));
  return {
    input: prompt - cacheRead - cacheCreation,
    output: toCount(usage.completion_tokens),
    cacheRead,
    cacheCreation,
  };
}

function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}

/** The end of a response, besides its content. */
interface Finish {
  readonly reason: string;
  readonly hasCalls: boolean;
  /** The model's words instead of an answer. */
  readonly refusal: string;
}

/**
 * The reason in the Anthropic words. Servers say `stop` behind calls too, and words of their own, which are kept as
 * details.
 */
function toStop({ reason, hasCalls, refusal }: Finish): Pick<ModelResponse, "stopReason" | "stopDetails"> {
  if (refusal !== "") return { stopReason: "refusal", stopDetails: refusal };
  if (reason === "content_filter") return { stopReason: "refusal", stopDetails: reason };
  if (reason === "length") return { stopReason: "max_tokens" };
  const stopReason = hasCalls ? "tool_use" : "end_turn";
  const isKnown = reason === "stop" || reason === "tool_calls" || reason === "function_call";
  return isKnown ? { stopReason } : { stopReason, stopDetails: reason };
}

interface TextBlocksOptions {
  /** The index of the next block. */
  next(): number;
  give(event: ModelEvent): void;
  keep(index: number, block: ContentBlock): void;
}

/** Text and thinking, one open at a time. */
interface TextBlocks {
  add(type: "text" | "thinking", text: string): void;
  close(): void;
}

/** A block begins with its first character that is no white space: white space alone is no block anywhere. */
function createTextBlocks({ next, give, keep }: TextBlocksOptions): TextBlocks {
  let type: "text" | "thinking" = "text";
  let index: number | undefined;
  let text = "";

  function open(): number {
    const opened = next();
    give({ type: "block-start", index: opened, block: toBlock(type, "") });
    return opened;
  }

  const blocks: TextBlocks = {
    add(kind, piece) {
      if (piece === "") return;
      if (kind !== type) blocks.close();
      type = kind;
      text += piece;
      const isNew = index === undefined;
      if (isNew && text.trim() === "") return;
      index ??= open();
      const come = isNew ? text : piece;
      const delta = type === "text" ? ({ type, text: come } as const) : ({ type, thinking: come } as const);
      give({ type: "block-delta", index, delta });
    },
    close() {
      if (index !== undefined) {
        const block = toBlock(type, text);
        give({ type: "block-end", index, block });
        keep(index, block);
      }
      index = undefined;
      text = "";
    },
  };
  return blocks;
}

function toBlock(type: "text" | "thinking", text: string): ContentBlock {
  return type === "text" ? { type, text } : { type, thinking: text };
}

/**
 * The events of one response from its chunks. The last of them is `response-end` or a failure. A failure behind the
 * reason why the model stopped changes nothing any more, unless it is the caller's own abort: the response is whole,
 * and at most its usage is missing.
 */
export async function* fromChatChunks(
  chunks: AsyncIterable<Result<unknown>>,
  options: ChunkReaderOptions,
): AsyncGenerator<Result<ModelEvent>> {
  const reader = createChunkReader(options);
  for await (const chunk of chunks) {
    if (!chunk.ok && reader.isFinished && chunk.error.code !== "aborted") break;
    const events = chunk.ok ? reader.read(chunk.value) : chunk;
    if (!events.ok) {
      yield events;
      return;
    }
    for (const value of events.value) yield { ok: true, value };
  }
  const events = reader.end();
  if (!events.ok) yield events;
  else for (const value of events.value) yield { ok: true, value };
}
