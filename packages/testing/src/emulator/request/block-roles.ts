const user: readonly string[] = ["user"];
const assistant: readonly string[] = ["assistant"];
const both: readonly string[] = ["user", "assistant"];

/** Every type of block the API takes in a message, by the SDK's `BetaContentBlockParam`, and whose it may be. */
export const blockRoles: Readonly<Record<string, readonly string[]>> = {
  advisor_tool_result: assistant,
  bash_code_execution_tool_result: assistant,
  /** In no public API: taken where a model's capabilities have it. */
  cache_edits: user,
  code_execution_tool_result: assistant,
  compaction: both,
  container_upload: both,
  document: user,
  fallback: assistant,
  image: user,
  mcp_tool_listing: assistant,
  mcp_tool_result: assistant,
  mcp_tool_use: assistant,
  redacted_thinking: assistant,
  search_result: user,
  server_tool_use: assistant,
  text: ["user", "assistant", "system"],
  text_editor_code_execution_tool_result: assistant,
  thinking: assistant,
  tool_addition: ["system"],
  tool_removal: ["system"],
  tool_result: user,
  tool_search_tool_result: assistant,
  tool_use: assistant,
  web_fetch_tool_result: assistant,
  web_search_tool_result: assistant,
};
