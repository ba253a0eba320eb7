import { isRecord } from "../request/is-record.ts";
import type { ChatReport } from "./chat-report.ts";

/** Tool messages answer the calls of the assistant in front of them, all of them, each once, before anybody speaks. */
export function checkChatToolPairs(messages: unknown, report: ChatReport): void {
  if (!Array.isArray(messages)) return;
  let calls: ReadonlySet<string> = new Set();
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue;
    const path = `messages.[${index}].role`;
    if (message.role !== "tool") {
      reportOpen(open, path, report);
      calls = callsOf(message.tool_calls);
      open = new Set(calls);
      continue;
    }
    const id = message.tool_call_id;
    if (typeof id !== "string") continue;
    if (calls.size === 0)
      report(
        "tool-message-unexpected",
        path,
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      );
    else if (!calls.has(id))
      report(
        "tool-message-unexpected",
        `messages.[${index}].tool_call_id`,
        `Invalid parameter: 'tool_call_id' of '${id}' not found in 'tool_calls' of previous message.`,
      );
    else if (!open.delete(id))
      report(
        "tool-message-once",
        `messages.[${index}].tool_call_id`,
        `Duplicate value for 'tool_call_id' of '${id}' in message[${index}].`,
      );
  }
  reportOpen(open, `messages.[${messages.length}].role`, report);
}

function callsOf(calls: unknown): ReadonlySet<string> {
  const ids = Array.isArray(calls) ? calls.map((call) => (isRecord(call) ? call.id : undefined)) : [];
  return new Set(ids.filter((id) => typeof id === "string"));
}

function reportOpen(open: ReadonlySet<string>, path: string, report: ChatReport): void {
  if (open.size === 0) return;
  report(
    "tool-message-missing",
    path,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(", ")}`,
  );
}
