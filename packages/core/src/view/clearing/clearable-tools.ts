/**
 * The tools whose results have served their purpose once they were used: file reading, shell, grep, glob, web search,
 * web fetch, file edit and file write, by the names of this package and Claude Code and of other agents. Results of
 * everything else (notebooks, edits of many files, agents, to-dos, questions, skills, MCP tools) are never cleared.
 */
export const clearableTools: ReadonlySet<string> = new Set([
  "Read",
  "Bash",
  "Grep",
  "Glob",
  "WebSearch",
  "WebFetch",
  "Edit",
  "Write",
  // pi, opencode
  "read",
  "bash",
  "grep",
  "glob",
  "websearch",
  "webfetch",
  "edit",
  "write",
  // Codex
  "shell",
  "exec_command",
  // Gemini CLI, Qwen Code
  "read_file",
  "run_shell_command",
  "search_file_content",
  "google_web_search",
  "web_fetch",
  "replace",
  "write_file",
]);

/** Listings: a newer one makes an older one of the same place worthless. */
export const listingTools: ReadonlySet<string> = new Set([
  "Glob",
  "glob",
  "Grep",
  "grep",
  "search_file_content",
]);
