/** The fields of blocks that clients write themselves; what the server wrote is sent back with whatever it had. */
export const blockFields: Readonly<Record<string, ReadonlySet<string>>> = {
  document: fields("source", "citations", "context", "title"),
  image: fields("source", "transformations"),
  redacted_thinking: fields("data"),
  search_result: fields("content", "source", "title", "citations"),
  text: fields("text", "citations"),
  thinking: fields("thinking", "signature"),
  /** `cache_reference` belongs to cache edits. */
  tool_result: fields("tool_use_id", "content", "is_error", "toolset_name", "cache_reference"),
  tool_use: fields("id", "name", "input", "caller", "toolset_name"),
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
