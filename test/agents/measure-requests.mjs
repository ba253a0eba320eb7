const conversations = ["messages", "chat_completions"];

/** What the emulator saw of a task with so many records: only what it answered counts, but for refusals. */
export function measureRequests(requests, count) {
  const all = [...requests];
  const asked = all.filter(({ endpoint }) => conversations.includes(endpoint));
  const answered = asked.filter(({ outcome }) => outcome === "answered");
  const sum = (tokens) => answered.reduce((total, request) => total + tokens(request), 0);
  const calls = answered.filter(({ content }) => content.some(({ type }) => type === "tool_use"));
  return {
    requests: asked.length,
    refused: all
      .filter(({ outcome, violations }) => outcome === "refused" || violations.length > 0)
      .map(({ path, error, violations }) => ({
        path,
        message: error?.message,
        rules: violations.map(({ rule }) => rule),
      })),
    peakTokens: Math.max(0, ...answered.map(({ promptTokens }) => promptTokens)),
    readShare: sum(({ usage }) => usage.cache_read_input_tokens) / sum(({ promptTokens }) => promptTokens),
    rereads: Math.max(0, calls.length - count),
  };
}
