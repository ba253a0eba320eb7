import type { WireBody } from "../wire.ts";
import type { Report } from "./report.ts";
import { contentOf, isRecord, toText, type WireBlock } from "./wire-values.ts";

const maxBreakpoints = 4;

/** A marker, where it stands. */
interface Marker {
  readonly path: string;
  readonly block: WireBlock;
  readonly control: unknown;
}

/** Cache breakpoints: their shape, their number, and that longer ones come first in the order of the prompt. */
export function checkCacheControl(body: WireBody, report: Report): void {
  const markers = [...markersIn(body)];
  let hasShort = false;
  for (const { path, block, control } of markers) {
    checkShape(control, `${path}.cache_control`, report);
    if (block.type === "thinking" || block.type === "redacted_thinking")
      report("cache-control-place", `${path}.cache_control`, "Extra inputs are not permitted");
    if (block.type === "text" && block.text === "")
      report("cache-control-place", path, "cache_control cannot be set for empty text blocks");
    const isLong = isRecord(control) && control.ttl === "1h";
    if (isLong && hasShort)
      report(
        "cache-control-order",
        `${path}.cache_control.ttl`,
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
      );
    hasShort ||= !isLong;
  }
  const own = isGiven(body.cache_control) ? 1 : 0;
  if (own) checkShape(body.cache_control, "cache_control", report);
  const found = markers.length + own;
  if (found > maxBreakpoints)
    report(
      "cache-control-count",
      "",
      `A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${found}.`,
    );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function checkShape(control: unknown, path: string, report: Report): void {
  const say = (at: string, sentence: string) => report("cache-control", at, sentence);
  if (!isRecord(control)) {
    say(path, "Input should be a valid dictionary");
    return;
  }
  if (control.type !== "ephemeral")
    say(
      path,
      `Input tag '${toText(control.type)}' found using 'type' does not match any of the expected tags: 'ephemeral'`,
    );
  if (control.ttl !== undefined && control.ttl !== "5m" && control.ttl !== "1h")
    say(`${path}.ephemeral.ttl`, "Input should be '5m' or '1h'");
  for (const field of Object.keys(control)) {
    if (field !== "type" && field !== "ttl")
      say(`${path}.ephemeral.${field}`, "Extra inputs are not permitted");
  }
}

function* markersIn({ tools, system, messages }: WireBody): Generator<Marker> {
  yield* markersOf(tools, "tools");
  yield* markersOf(system, "system");
  if (!Array.isArray(messages)) return;
  for (const [index, message] of messages.entries()) {
    if (isRecord(message)) yield* markersOf(message.content, `messages.${index}.content`);
  }
}

/** A result's own blocks come before its end. */
function* markersOf(blocks: unknown, path: string): Generator<Marker> {
  if (!Array.isArray(blocks)) return;
  for (const [index, block] of blocks.entries()) {
    if (!isRecord(block)) continue;
    if (block.type === "tool_result" && Array.isArray(block.content)) {
      for (const [inner, nested] of contentOf(block).entries()) {
        if (isGiven(nested.cache_control))
          yield { path: `${path}.${index}.content.${inner}`, block: nested, control: nested.cache_control };
      }
    }
    if (isGiven(block.cache_control)) yield { path: `${path}.${index}`, block, control: block.cache_control };
  }
}

/** The fields of every block that the API takes, by the SDK's `BetaContentBlockParam`. */
export const blockFields: Readonly<Record<string, ReadonlySet<string>>> = {
  advisor_tool_result: fields("tool_use_id", "content"),
  bash_code_execution_tool_result: fields("tool_use_id", "content"),
  code_execution_tool_result: fields("tool_use_id", "content"),
  compaction: fields("content", "encrypted_content", "signature", "tool_changes"),
  container_upload: fields("file_id"),
  document: fields("source", "citations", "context", "title"),
  fallback: fields("from", "to", "trigger"),
  image: fields("source", "transformations"),
  mcp_tool_listing: fields("mcp_server_name", "tools"),
  mcp_tool_result: fields("tool_use_id", "content", "is_error"),
  mcp_tool_use: fields("id", "name", "input", "server_name"),
  redacted_thinking: fields("data"),
  search_result: fields("content", "source", "title", "citations"),
  server_tool_use: fields("id", "name", "input", "caller"),
  text: fields("text", "citations"),
  text_editor_code_execution_tool_result: fields("tool_use_id", "content"),
  thinking: fields("thinking", "signature"),
  /** `cache_reference` belongs to cache edits. */
  tool_result: fields("tool_use_id", "content", "is_error", "toolset_name", "cache_reference"),
  tool_search_tool_result: fields("tool_use_id", "content"),
  tool_use: fields("id", "name", "input", "caller", "toolset_name"),
  web_fetch_tool_result: fields("tool_use_id", "content", "caller"),
  web_search_tool_result: fields("tool_use_id", "content", "caller"),
};

/** Of a tool that the client defines. */
export const toolFields = fields(
  "name",
  "description",
  "input_schema",
  "allowed_callers",
  "defer_loading",
  "eager_input_streaming",
  "input_examples",
  "strict",
);

/** Markers may stand anywhere as far as this table goes: `checkCacheControl` knows better. */
function fields(...names: string[]): ReadonlySet<string> {
  return new Set(["type", "cache_control", ...names]);
}
