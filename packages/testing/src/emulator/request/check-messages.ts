import { checkBlock } from "./check-block.ts";
import type { Report } from "./report.ts";
import { contentOf, isRecord, lookUp, toText } from "./wire-values.ts";

const maxMessages = 100_000;
const fields: Readonly<Record<string, readonly string[]>> = {
  user: ["role", "content"],
  assistant: ["role", "content"],
  system: ["role", "content", "clear_at", "output_config"],
};

/**
 * The list of messages, their roles and their blocks. System messages stand between the others without counting for
 * the alternation. A conversation may begin with the assistant only where the API's own compaction is replayed.
 */
export function checkMessages(messages: unknown, report: Report): void {
  if (messages === undefined) {
    report("messages", "messages", "Field required");
    return;
  }
  if (!Array.isArray(messages)) {
    report("messages", "messages", "Input should be a valid list");
    return;
  }
  if (messages.length === 0) {
    report("messages", "messages", "at least one message is required");
    return;
  }
  if (messages.length > maxMessages)
    report("messages", "messages", `List should have at most ${maxMessages} items after validation`);
  let before: unknown;
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`;
    if (!isRecord(message)) {
      report("message", path, "Input should be a valid dictionary or object to extract fields from");
      continue;
    }
    checkRole(message, path, before, index === 0, report);
    if (message.role !== "system") before = message.role;
    checkContent(message, path, report);
  }
  checkEnd(messages, report);
}

type WireMessage = Readonly<Record<string, unknown>>;

function checkRole(
  message: WireMessage,
  path: string,
  before: unknown,
  isFirst: boolean,
  report: Report,
): void {
  const { role } = message;
  const known = lookUp(fields, role);
  if (role === undefined) {
    report("role", `${path}.role`, "Field required");
    return;
  }
  if (!known) {
    report("role", `${path}.role`, "Input should be 'user', 'assistant' or 'system'");
    return;
  }
  for (const field of Object.keys(message)) {
    if (!known.includes(field)) report("message", `${path}.${field}`, "Extra inputs are not permitted");
  }
  if (isFirst && role !== "user" && contentOf(message)[0]?.type !== "compaction")
    report("first-user", path, 'first message must use the "user" role');
  if (role === before)
    report(
      "roles-alternate",
      path,
      `roles must alternate between "user" and "assistant", but found multiple "${role}" roles in a row`,
    );
}

function checkContent(message: WireMessage, path: string, report: Report): void {
  const { role, content } = message;
  if (content === undefined && role === "system" && isRecord(message.output_config)) return;
  if (content === undefined) {
    report("content", `${path}.content`, "Field required");
    return;
  }
  if (typeof content !== "string" && !Array.isArray(content)) {
    report("content", `${path}.content`, "Input should be a valid list");
    return;
  }
  if (content.length === 0) {
    report("content-empty", path, "all messages must have non-empty content");
    return;
  }
  if (typeof content === "string") {
    if (content.trim() === "")
      report("text-empty", path, "text content blocks must contain non-whitespace text");
    return;
  }
  for (const [at, block] of content.entries())
    checkBlock(block, toText(role), `${path}.content.${at}`, report);
}

/** Checks that text which the assistant is to continue does not end in white space. */
function checkEnd(messages: readonly unknown[], report: Report): void {
  const last = messages.at(-1);
  if (!isRecord(last) || last.role !== "assistant") return;
  const block = contentOf(last).at(-1);
  if (block?.type === "text" && typeof block.text === "string" && /\S\s+$/.test(block.text))
    report(
      "trailing-space",
      `messages.${messages.length - 1}`,
      "final assistant content cannot end with trailing whitespace",
    );
}
