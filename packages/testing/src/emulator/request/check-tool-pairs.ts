import type { Report } from "./report.ts";
import { contentOf, isRecord } from "./wire-values.ts";

/** Every call has one result in the next message, every result a call in the one before, results stand first. */
export function checkToolPairs(messages: unknown, report: Report): void {
  if (!Array.isArray(messages)) return;
  const seen = new Set<string>();
  let open: ReadonlySet<string> = new Set();
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`;
    const answered = checkResults(message, open, path, report);
    reportMissing(open, answered, index - 1, report);
    open = checkCalls(message, seen, path, report);
  }
  reportMissing(open, new Set(), messages.length - 1, report);
}

function checkCalls(message: unknown, seen: Set<string>, path: string, report: Report): ReadonlySet<string> {
  const calls = new Set<string>();
  if (!isRecord(message) || message.role !== "assistant") return calls;
  for (const [at, { type, id }] of contentOf(message).entries()) {
    if (type !== "tool_use" || typeof id !== "string") continue;
    if (seen.has(id)) report("tool-id-unique", `${path}.content.${at}`, "`tool_use` ids must be unique");
    seen.add(id);
    calls.add(id);
  }
  return calls;
}

function checkResults(
  message: unknown,
  open: ReadonlySet<string>,
  path: string,
  report: Report,
): ReadonlySet<string> {
  const answered = new Set<string>();
  let hasOther = false;
  for (const [at, { type, tool_use_id: id }] of contentOf(message).entries()) {
    if (type !== "tool_result") {
      hasOther = true;
      continue;
    }
    const where = `${path}.content.${at}`;
    if (hasOther)
      report("tool-result-first", where, "`tool_result` blocks must come before all other content");
    if (typeof id !== "string") continue;
    if (!open.has(id))
      report(
        "tool-result-unexpected",
        where,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    else if (answered.has(id))
      report(
        "tool-result-once",
        where,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      );
    answered.add(id);
  }
  return answered;
}

function reportMissing(
  open: ReadonlySet<string>,
  answered: ReadonlySet<string>,
  index: number,
  report: Report,
): void {
  const missing = [...open].filter((id) => !answered.has(id));
  if (missing.length === 0) return;
  report(
    "tool-result-missing",
    `messages.${index}`,
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}
