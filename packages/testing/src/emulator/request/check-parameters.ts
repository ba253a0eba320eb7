import type { RequestContext, WireBody } from "../wire.ts";
import type { Report } from "./report.ts";
import { isRecord, toText } from "./wire-values.ts";

/** The fields at the top of a body: the parameters of the SDK's types, and the sampling ones of older models. */
const knownParameters: ReadonlySet<string> = new Set([
  "cache_control",
  "compaction",
  "container",
  "context_management",
  "diagnostics",
  "fallback_credit_token",
  "fallbacks",
  "inference_geo",
  "max_tokens",
  "mcp_servers",
  "messages",
  "metadata",
  "model",
  "output_config",
  "output_format",
  "service_tier",
  "speed",
  "stop_sequences",
  "stream",
  "system",
  "temperature",
  "thinking",
  "thread",
  "tool_choice",
  "tools",
  "top_k",
  "top_p",
]);

/** The parameters that stand alone: model, length, sampling, stops. */
export function checkParameters(body: WireBody, { capabilities }: RequestContext, report: Report): void {
  for (const name of Object.keys(body)) {
    if (!knownParameters.has(name)) report("unknown-field", name, "Extra inputs are not permitted");
  }
  if (body.model === undefined) report("model", "model", "Field required");
  else if (typeof body.model !== "string") report("model", "model", "Input should be a valid string");
  else if (body.model === "") report("model", "model", "String should have at least 1 character");
  checkLength(body, capabilities.maxOutput, report);
  checkSampling(body, report);
  checkStops(body.stop_sequences, report);
  if (body.stream !== undefined && typeof body.stream !== "boolean")
    report("stream", "stream", "Input should be a valid boolean");
  checkMetadata(body.metadata, report);
  checkDiagnostics(body.diagnostics, report);
}

/** Zero only fills the cache, and is allowed. */
function checkLength({ max_tokens: length, model }: WireBody, maxOutput: number, report: Report): void {
  const say = (sentence: string) => report("max-tokens", "max_tokens", sentence);
  if (length === undefined) say("Field required");
  else if (typeof length !== "number" || !Number.isInteger(length)) say("Input should be a valid integer");
  else if (length < 0) say("Input should be greater than or equal to 0");
  else if (length > maxOutput)
    say(
      `${length} > ${maxOutput}, which is the maximum allowed number of output tokens for ${toText(model)}`,
    );
}

function checkSampling(body: WireBody, report: Report): void {
  for (const name of ["temperature", "top_p"] as const) {
    const value = body[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number") report(name.replace("_", "-"), name, "Input should be a valid number");
    else if (value < 0 || value > 1) report(name.replace("_", "-"), name, "range: 0..1");
  }
  const { top_k: topK } = body;
  if (topK === undefined || topK === null) return;
  if (typeof topK !== "number" || !Number.isInteger(topK))
    report("top-k", "top_k", "Input should be a valid integer");
  else if (topK < 0) report("top-k", "top_k", "Input should be greater than or equal to 0");
}

function checkStops(stops: unknown, report: Report): void {
  if (stops === undefined || stops === null) return;
  if (!Array.isArray(stops)) {
    report("stop-sequences", "stop_sequences", "Input should be a valid list");
    return;
  }
  for (const [index, stop] of stops.entries()) {
    const path = `stop_sequences.${index}`;
    if (typeof stop !== "string") report("stop-sequences", path, "Input should be a valid string");
    else if (stop.trim() === "")
      report("stop-sequences", path, "each stop sequence must contain non-whitespace");
  }
}

function checkMetadata(metadata: unknown, report: Report): void {
  if (metadata === undefined) return;
  if (!isRecord(metadata)) {
    report("metadata", "metadata", "Input should be a valid dictionary");
    return;
  }
  for (const name of Object.keys(metadata)) {
    if (name !== "user_id") report("metadata", `metadata.${name}`, "Extra inputs are not permitted");
  }
}

function checkDiagnostics(diagnostics: unknown, report: Report): void {
  if (diagnostics === undefined || diagnostics === null) return;
  if (!isRecord(diagnostics)) {
    report("diagnostics", "diagnostics", "Input should be a valid dictionary");
    return;
  }
  const { previous_message_id: id } = diagnostics;
  if (id !== undefined && id !== null && typeof id !== "string")
    report("diagnostics", "diagnostics.previous_message_id", "Input should be a valid string");
}
