import type { Capabilities } from "@palimpsest/core/spec";
import type { FoundModel } from "../emulated-models.ts";
import { checkUnicode } from "../request/check-unicode.ts";
import { isRecord, toText } from "../request/wire-values.ts";
import { type ApiError, apiError } from "../server/api-error.ts";
import type { Emulation } from "../server/emulation.ts";
import type { Refusal } from "../server/judge-request.ts";
import type { MeasuredPrompt, WireBody } from "../wire.ts";
import { checkChatMessages, checkChatTools } from "./check-chat-messages.ts";
import { contextLengthError } from "./list-chat-models.ts";
import {
  type ChatReport,
  type ChatViolation,
  chatReportInto,
  measureChat,
  reportTooMany,
  reportType,
} from "./measure-chat.ts";
import { toMessagesBody } from "./to-messages-body.ts";

/** A chat request that is answered. */
export interface ChatAcceptance {
  readonly kind: "accepted";
  /** The model as the client named it. */
  readonly asked: string;
  readonly found: FoundModel;
  readonly body: WireBody;
  /** In the shape of the Messages API. */
  readonly whole: WireBody;
  readonly prompt: MeasuredPrompt;
}

/** Says whether a chat request is taken, and how long its prompt is. */
export function judgeChat(json: unknown, { models }: Emulation): Refusal | ChatAcceptance {
  const name = isRecord(json) && typeof json.model === "string" ? json.model : "";
  const found = name === "" ? models.list[0] : models.findAny(name);
  if (found === undefined) return { kind: "refused", error: unknownModelError(name), violations: [] };
  const violations = checkChat(json, found.capabilities);
  const [first] = violations;
  if (first !== undefined) {
    const error = apiError("invalid_request_error", first.message);
    const param = first.path === "" ? null : first.path;
    return { kind: "refused", error: { ...error, param, code: first.code }, violations };
  }
  const body = json as WireBody;
  const whole = { ...toMessagesBody(body), model: found.model.id };
  const prompt = measureChat(whole);
  const { contextWindow } = found.capabilities;
  if (prompt.tokens <= contextWindow) return { kind: "accepted", asked: name, found, body, whole, prompt };
  const error = contextLengthError(prompt.tokens, contextWindow);
  return {
    kind: "refused",
    error,
    violations: [{ rule: "window", path: "messages", message: error.message }],
  };
}

function unknownModelError(name: string): ApiError {
  const message = `The model \`${toText(name)}\` does not exist or you do not have access to it.`;
  return { ...apiError("not_found_error", message), param: null, code: "model_not_found" };
}

/**
 * Every rule of chat completions that a body breaks; empty for a body that is taken. Fields nobody knows are let
 * through, because servers differ in them. Linear in the body.
 */
export function checkChat(
  body: unknown,
  capabilities: Pick<Capabilities, "maxOutput">,
): readonly ChatViolation[] {
  const violations: ChatViolation[] = [];
  const report = chatReportInto(violations);
  if (!isRecord(body)) {
    report("body-object", "", "We could not parse the JSON body of your request: it is no object.");
    return violations;
  }
  checkChatParameters(body, capabilities, report);
  checkChatTools(body, report);
  checkChatMessages(body.messages, report);
  checkChatToolPairs(body.messages, report);
  checkUnicode(body, (rule, path) =>
    report(rule, path, "We could not parse the JSON body of your request: it has half a surrogate pair."),
  );
  return violations;
}

/** Tool messages answer the calls of the assistant in front of them, all of them, each once, before anybody speaks. */
function checkChatToolPairs(messages: unknown, report: ChatReport): void {
  if (!Array.isArray(messages)) return;
  let calls: ReadonlySet<string> = new Set();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue;
    const path = `messages.[${index}].role`;
    if (message.role !== "tool") {
      reportOpen(open, path, report);
      calls = callsOf(message.tool_calls);
      open = new Set(calls);
      continue;
    }
    const id = message.tool_call_id;
    if (typeof id !== "string") continue;
    if (calls.size === 0)
      report(
        "tool-message-unexpected",
        path,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
    else if (!calls.has(id))
      report(
        "tool-message-unexpected",
        `messages.[${index}].tool_call_id`,
        `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      );
    else if (!open.delete(id))
      report(
        "tool-message-once",
        `messages.[${index}].tool_call_id`,
        `Duplicate value for 'tool_call_id' of '${id}' in message[${index}].`,
      );
  }
  reportOpen(open, `messages.[${messages.length}].role`, report);
}

function callsOf(calls: unknown): ReadonlySet<string> {
  const ids = Array.isArray(calls) ? calls.map((call) => (isRecord(call) ? call.id : undefined)) : [];
  return new Set(ids.filter((id) => typeof id === "string"));
}

function reportOpen(open: ReadonlySet<string>, path: string, report: ChatReport): void {
  if (open.size === 0) return;
  report(
    "tool-message-missing",
    path,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
  );
}

const maxStops = 4;
/** These think before they answer, take no `max_tokens`, and no temperature but their own. */
const reasoningModel = /^(?:o\d|gpt-5)/;

/** The parameters that stand alone: model, length, sampling, stops, streaming. */
function checkChatParameters(
  body: WireBody,
  { maxOutput }: Pick<Capabilities, "maxOutput">,
  report: ChatReport,
): void {
  const { model, stream, stream_options: options, n } = body;
  if (typeof model !== "string" || model === "")
    report("model", "model", "you must provide a model parameter");
  checkLengths(body, maxOutput, report);
  checkSampling(body, report);
  checkStops(body.stop, report);
  if (isGiven(n) && n !== 1)
    report("n", "n", "Invalid value for 'n': the emulator gives one choice.", "invalid_value");
  if (isGiven(stream) && typeof stream !== "boolean")
    reportType(report, "stream", "stream", "a boolean", stream);
  if (!isGiven(options)) return;
  if (stream !== true)
    report(
      "stream-options",
      "stream_options",
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
    );
  if (!isRecord(options)) reportType(report, "stream-options", "stream_options", "an object", options);
  else if (isGiven(options.include_usage) && typeof options.include_usage !== "boolean")
    reportType(report, "stream-options", "stream_options.include_usage", "a boolean", options.include_usage);
}

function checkLengths(body: WireBody, maxOutput: number, report: ChatReport): void {
  const { max_tokens: length, max_completion_tokens: completion, model } = body;
  if (isGiven(length) && typeof model === "string" && reasoningModel.test(model))
    report(
      "max-tokens",
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      "unsupported_parameter",
    );
  else if (isGiven(length) && isGiven(completion))
    report(
      "max-tokens",
      "max_completion_tokens",
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      "invalid_parameter_combination",
    );
  checkLength(length, "max_tokens", maxOutput, report);
  checkLength(completion, "max_completion_tokens", maxOutput, report);
}

function checkLength(value: unknown, path: string, maxOutput: number, report: ChatReport): void {
  if (!isGiven(value)) return;
  if (!Number.isInteger(value)) reportType(report, "max-tokens", path, "an integer", value);
  else if ((value as number) < 1)
    report(
      "max-tokens",
      path,
      `Invalid '${path}': integer below minimum value. Expected a value >= 1, but got ${value} instead.`,
      "integer_below_min_value",
    );
  else if ((value as number) > maxOutput)
    report(
      "max-tokens",
      path,
      `${path} is too large: ${value}. This model supports at most ${maxOutput} completion tokens, whereas you provided ${value}.`,
      "invalid_value",
    );
}

function checkSampling(body: WireBody, report: ChatReport): void {
  for (const [path, most] of [
    ["temperature", 2],
    ["top_p", 1],
  ] as const) {
    const value = body[path];
    if (!isGiven(value)) continue;
    if (typeof value !== "number") reportType(report, "sampling", path, "a decimal", value);
    else if (value < 0 || value > most)
      report(
        "sampling",
        path,
        `Invalid '${path}': expected a value between 0 and ${most}, but got ${value} instead.`,
        value < 0 ? "decimal_below_min_value" : "decimal_above_max_value",
      );
    else if (value !== 1 && typeof body.model === "string" && reasoningModel.test(body.model))
      report(
        "sampling",
        path,
        `Unsupported value: '${path}' does not support ${value} with this model. Only the default (1) value is supported.`,
        "unsupported_value",
      );
  }
}

function checkStops(stop: unknown, report: ChatReport): void {
  if (!isGiven(stop) || typeof stop === "string") return;
  if (!Array.isArray(stop)) reportType(report, "stop", "stop", "an array or a string", stop);
  else if (stop.length > maxStops) reportTooMany(report, "stop", "stop", maxStops, stop.length);
  else
    for (const [index, text] of stop.entries())
      if (typeof text !== "string") reportType(report, "stop", `stop[${index}]`, "a string", text);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
