import { pruneMessages } from "ai";

/** The AI SDK's pruning, as a `prepareStep` would call it before each step. */
export function createAiSdkClearing(rounds) {
  const messages = toMessages(rounds);
  const results = rounds.length;

  function prune(kept) {
    const started = performance.now();
    const pruned = pruneMessages({ messages, toolCalls: `before-last-${kept}-messages` });
    const time = performance.now() - started;
    return { time, cleared: results - pruned.filter(({ role }) => role === "tool").length };
  }
  return { nothingDue: () => prune(messages.length), clearing: () => prune(3) };
}

function toMessages(rounds) {
  return [
    { role: "user", content: "Look at the whole source." },
    ...rounds.flatMap(({ id: toolCallId, tool: toolName, input, text, result: value }) => [
      {
        role: "assistant",
        content: [
          { type: "text", text },
          { type: "tool-call", toolCallId, toolName, input },
        ],
      },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value } }],
      },
    ]),
  ];
}
