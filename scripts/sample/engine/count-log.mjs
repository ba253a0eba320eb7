import { minutes } from "./recorder.mjs";

/** What a log holds, counted from its lines alone. */
export function countLog(bytes, gzipBytes) {
  const lines = bytes.toString("utf8").trimEnd().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const messages = entries.filter(({ kind }) => kind === "message");
  const responses = messages.filter(({ message }) => message.type === "assistant");
  const prompts = messages.filter(({ message }) => typeof message.content === "string");
  const blocks = messages.flatMap(({ message }) => (Array.isArray(message.content) ? message.content : []));
  const uses = blocks.filter(({ type }) => type === "tool_use");
  const results = blocks.filter(({ type }) => type === "tool_result");
  const usages = responses.map(({ message }) => message.usage);
  const sum = (field) => usages.reduce((total, usage) => total + usage[field], 0);
  return {
    entries: entries.length,
    responses: responses.length,
    aborted: responses.filter(({ message }) => message.isAborted).length,
    prompts: prompts.length,
    calls: countBy(uses.map(({ name }) => name)),
    parallel: responses.filter(({ message }) => usesIn(message) > 1).length,
    failures: results.filter(({ is_error }) => is_error).length,
    largeResults: results.filter(({ content }) => content.length > 50_000).length,
    largestResult: Math.max(...results.map(({ content }) => content.length)),
    gaps: gapsOf(messages),
    from: messages[0].at,
    to: messages.at(-1).at,
    contentBytes: messages.reduce((total, { message }) => total + contentBytes(message.content), 0),
    bytes: bytes.length,
    gzipBytes,
    contextTokens: contextTokens(responses.findLast(({ message }) => !message.isAborted)),
    usage: {
      input: sum("input"),
      output: sum("output"),
      cacheRead: sum("cacheRead"),
      cacheCreation: sum("cacheCreation"),
    },
  };
}

function usesIn({ content }) {
  return content.filter(({ type }) => type === "tool_use").length;
}

function countBy(names) {
  const counts = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Idle times between a response and what the user says next. */
function gapsOf(messages) {
  const gaps = messages.flatMap(({ at, message }, index) => {
    const before = messages[index - 1];
    if (typeof message.content !== "string" || before?.message.type !== "assistant") return [];
    return [Date.parse(at) - Date.parse(before.at)];
  });
  const over = (ms) => gaps.filter((gap) => gap > ms).length;
  return {
    overFiveMinutes: over(minutes(5)),
    overTenMinutes: over(minutes(10)),
    longestMs: Math.max(...gaps),
  };
}

function contentBytes(content) {
  if (typeof content === "string") return Buffer.byteLength(content);
  return content.reduce((total, block) => {
    const value = block.text ?? block.content ?? JSON.stringify(block.input);
    return total + Buffer.byteLength(value);
  }, 0);
}

function contextTokens({ message: { usage } }) {
  return usage.input + usage.cacheRead + usage.cacheCreation + usage.output;
}
