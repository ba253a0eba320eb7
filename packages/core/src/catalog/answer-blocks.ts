/**
 * The blocks that the Messages API takes back in an assistant's message, with their fields, by the SDK's
 * `BetaContentBlockParam` of November 2026. It refuses a request with any other.
 */
const answerBlocks: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    advisor_tool_result: ["tool_use_id", "content"],
    bash_code_execution_tool_result: ["tool_use_id", "content"],
    code_execution_tool_result: ["tool_use_id", "content"],
    compaction: ["content", "encrypted_content", "signature", "tool_changes"],
    container_upload: ["file_id"],
    fallback: ["from", "to", "trigger"],
    mcp_tool_listing: ["mcp_server_name", "tools"],
    mcp_tool_result: ["tool_use_id", "content", "is_error"],
    mcp_tool_use: ["id", "name", "input", "server_name"],
    redacted_thinking: ["data"],
    server_tool_use: ["id", "name", "input", "caller"],
    text: ["text", "citations"],
    text_editor_code_execution_tool_result: ["tool_use_id", "content"],
    thinking: ["thinking", "signature"],
    tool_search_tool_result: ["tool_use_id", "content"],
    tool_use: ["id", "name", "input", "caller", "toolset_name"],
    web_fetch_tool_result: ["tool_use_id", "content", "caller"],
    web_search_tool_result: ["tool_use_id", "content", "caller"],
  }).map(([type, fields]) => [type, new Set(["type", "cache_control", ...fields])]),
);

/** The fields that a block of an answer may have when it is sent back; absent where no such block may be. */
export function answerBlockFields(type: string): ReadonlySet<string> | undefined {
  return answerBlocks.get(type);
}

/**
 * Blocks of answers that the API takes back only in a request that has a beta header: its name without the date. Blocks
 * of compaction are not among them: the session adds their headers by itself.
 */
const answerBlockBetas: ReadonlyMap<string, string> = new Map(
  Object.entries({
    advisor_tool_result: "advisor-tool",
    fallback: "server-side-fallback",
    mcp_tool_listing: "mcp-client",
    mcp_tool_result: "mcp-client",
    mcp_tool_use: "mcp-client",
  }),
);

/** The beta, without its date, that a block of an answer needs and that is not among these; absent: it needs none. */
export function missingBeta(type: string, betas: readonly string[]): string | undefined {
  const beta = answerBlockBetas.get(type);
  return beta === undefined || betas.some((given) => given.startsWith(`${beta}-20`)) ? undefined : beta;
}

/** Whether both blocks need the same beta. */
export function shareBeta(one: string, other: string): boolean {
  return answerBlockBetas.has(one) && answerBlockBetas.get(one) === answerBlockBetas.get(other);
}
