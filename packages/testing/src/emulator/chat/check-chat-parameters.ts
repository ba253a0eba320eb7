import type { Capabilities } from "@palimpsest/core/spec";
import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";
import { type ChatReport, reportTooMany, reportType } from "./chat-report.ts";

const maxStops = 4;
/** These think before they answer, take no `max_tokens`, and no temperature but their own. */
const reasoningModel = /^(?:o\d|gpt-5)/;

/** The parameters that stand alone: model, length, sampling, stops, streaming. */
export function checkChatParameters(
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
