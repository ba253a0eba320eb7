import { filledText, isRecord, type JsonObject, parseJson } from "../../json/json-values.ts";
import { addUsage, noUsage, readUsage } from "../../log/import/message-content.ts";
import {
  type BlockDelta,
  type ContentBlock,
  fail,
  type ModelEvent,
  type ModelResponse,
  ok,
  type Result,
  type Usage,
} from "../../spec/index.ts";
import { type BlockEvent, createContentAssembly } from "../content-assembly.ts";
import { brokenUsage, maskSecrets } from "../mask-secrets.ts";

/** Turns the events of one response into ours, in the order of the API or not at all. */
interface ResponseReader {
  /** Nothing where an event says nothing to us. After a failure nothing may be read. */
  read(event: WireEvent): Result<ModelEvent | undefined>;
}

export function createResponseReader(): ResponseReader {
  const assembly = createContentAssembly();
  let head: { readonly id: string; model: string } | undefined;
  let usage: JsonObject = {};
  let stop: JsonObject = {};
  let management: unknown;
  let isEnded = false;

  function start(message: unknown): Result<ModelEvent> {
    if (head !== undefined) return refuseMalformed("it begins twice");
    if (!isRecord(message) || typeof message.id !== "string")
      return refuseMalformed("it begins without an id");
    if (Array.isArray(message.content) && message.content.length > 0)
      return refuseMalformed("it begins with blocks");
    head = { id: message.id, model: filledText(message.model) ?? "" };
    note(message);
    return ok({ type: "response-start", ...head });
  }

  /** Counts are of the whole response: newer ones take the place of older ones, where they are there. */
  function note({ usage: counts, context_management, delta }: JsonObject): void {
    usage = { ...usage, ...definedFields(counts) };
    stop = { ...stop, ...definedFields(delta) };
    management = context_management ?? management;
  }

  function add(event: BlockEvent): Result<ModelEvent> {
    const added = assembly.add(event);
    const fallback = event.type === "block-start" && added.ok ? answeringModel(event.block) : undefined;
    if (fallback !== undefined && head !== undefined) head.model = fallback;
    return added;
  }

  function end(): Result<ModelEvent> {
    const stopReason = filledText(stop.stop_reason) ?? null;
    const assembled = assembly.end(stopReason);
    if (!assembled.ok) return assembled;
    const { content, brokenCalls } = assembled.value;
    const stopDetails = detailsOf(stop);
    const reportedUsage = brokenUsage(usage, countNames);
    const billed = reportedUsage === undefined ? billedOf(usage) : undefined;
    isEnded = true;
    const response: ModelResponse = {
      id: head?.id ?? "",
      model: head?.model ?? "",
      content,
      ...(brokenCalls.length > 0 && { brokenCalls }),
      stopReason,
      ...(stopDetails !== undefined && { stopDetails }),
      usage: (reportedUsage === undefined && readUsage(usage)) || noUsage,
      ...(reportedUsage !== undefined && { reportedUsage }),
      ...(billed !== undefined && { billed }),
      ...(isRecord(management) && { contextManagement: management }),
    };
    return ok({ type: "response-end", ...response });
  }

  return {
    read(event) {
      if (isEnded) return refuseMalformed("something comes behind its end");
      if (event.type === "message_start") return start(event.message);
      if (!known.has(event.type)) return ok(undefined);
      if (head === undefined) return refuseMalformed(`it begins with ${event.type}`);
      if (event.type === "message_stop") return end();
      if (event.type === "message_delta") {
        note(event);
        return ok(undefined);
      }
      const { index } = event;
      if (typeof index !== "number") return refuseMalformed(`${event.type} is for no block`);
      if (event.type === "content_block_stop") return add({ type: "block-end", index });
      return event.type === "content_block_start"
        ? add({ type: "block-start", index, block: event.content_block as ContentBlock })
        : add({ type: "block-delta", index, delta: toBlockDelta(event.delta) });
    },
  };
}

const countNames = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
];

/** The API may send others one day, and says that they are to be passed over. */
const known: ReadonlySet<string> = new Set([
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
]);

/** The fields that are there. */
function definedFields(fields: unknown): JsonObject {
  if (!isRecord(fields)) return {};
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Where another model took over, its block says so. */
function answeringModel(block: ContentBlock): string | undefined {
  if (block.type !== "fallback" || !("to" in block) || !isRecord(block.to)) return undefined;
  return filledText(block.to.model);
}

function detailsOf({ stop_details, stop_sequence }: JsonObject): string | undefined {
  if (!isRecord(stop_details)) return filledText(stop_sequence);
  return (
    filledText(stop_details.explanation) ?? filledText(stop_details.category) ?? filledText(stop_details.type)
  );
}

/** All steps together, where the API lists them: `usage` itself leaves out what a compaction took. */
function billedOf({ iterations }: JsonObject): Usage | undefined {
  if (!Array.isArray(iterations) || iterations.length === 0) return undefined;
  return iterations.reduce<Usage>((sum, step) => addUsage(sum, readUsage(step) ?? noUsage), noUsage);
}

function refuseMalformed(what: string): Result<never> {
  return fail("malformed-response", `Anthropic's response cannot be read: ${what}.`, {
    retryable: true,
    fix: "Try again; if it stays, check proxies between you and the model's server.",
  });
}

/** A piece of a block in our words; what has none in them is passed on as it came. */
function toBlockDelta(delta: unknown): BlockDelta {
  if (!isRecord(delta)) return { type: "other", delta };
  const { type, text, thinking, signature, partial_json } = delta;
  if (type === "text_delta" && typeof text === "string") return { type: "text", text };
  if (type === "thinking_delta" && typeof thinking === "string") return { type: "thinking", thinking };
  if (type === "signature_delta" && typeof signature === "string") return { type: "signature", signature };
  if (type === "input_json_delta" && typeof partial_json === "string")
    return { type: "input", json: partial_json };
  return { type: "other", delta };
}

/** One event of a stream as it came. */
interface ServerSentEvent {
  readonly event: string | null;
  readonly data: string;
}

/** One event of a stream after JSON.parse. */
type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

const maxShownChars = 200;

/** The event in a server-sent one; nothing in pings and in events without words. */
export function readWireEvent({ event, data }: ServerSentEvent): Result<WireEvent | undefined> {
  if (event === "ping" || data === "") return ok(undefined);
  const wire = parseJson(data);
  const type = isRecord(wire) && typeof wire.type === "string" ? wire.type : event;
  if (type === "error") return ok({ type, ...(isRecord(wire) ? wire : { error: { message: data } }) });
  if (isRecord(wire) && type !== null) return ok({ ...wire, type });
  const shown = maskSecrets(data).slice(0, maxShownChars);
  return fail("malformed-response", `Anthropic sent an invalid event: ${shown}`, {
    retryable: true,
    fix: "Try again; if it stays, check proxies between you and the model's server.",
  });
}
