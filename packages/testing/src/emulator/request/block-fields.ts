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
