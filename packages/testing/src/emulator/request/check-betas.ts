import type { RequestContext, WireBody } from "../wire.ts";
import type { Report } from "./report.ts";
import { contentOf, isRecord, lookUp } from "./wire-values.ts";

const compactionBetas = ["compact-2026-09-04", "compact-2026-01-12"];
const mcpBetas = ["mcp-client-2026-09-15", "mcp-client-2025-11-20", "mcp-client-2025-04-04"];

/** Parameters the API does not know without one of these headers. */
const parameterBetas: Readonly<Record<string, readonly string[]>> = {
  compaction: ["compact-2026-09-04"],
  context_management: ["context-management-2025-06-27"],
  fallbacks: ["server-side-fallback-2026-07-01", "server-side-fallback-2026-06-01"],
  mcp_servers: mcpBetas,
  thread: ["message-threads-2026-08-12"],
};

/** Blocks of messages, likewise. */
const blockBetas: Readonly<Record<string, readonly string[]>> = {
  advisor_tool_result: ["advisor-tool-2026-03-01"],
  compaction: compactionBetas,
  fallback: ["server-side-fallback-2026-07-01", "server-side-fallback-2026-06-01"],
  mcp_tool_listing: mcpBetas,
  mcp_tool_result: mcpBetas,
  mcp_tool_use: mcpBetas,
  tool_addition: ["mid-conversation-tool-changes-2026-07-01"],
  tool_removal: ["mid-conversation-tool-changes-2026-07-01"],
};

/** Fields of system messages, likewise. */
const systemMessageBetas: Readonly<Record<string, readonly string[]>> = {
  clear_at: ["mid-conversation-system-clear-at-2026-08-21"],
  output_config: ["mid-conversation-output-config-2026-07-01"],
};

/** Checks fields that need an `anthropic-beta` header that the request does not have. */
export function checkBetas(body: WireBody, { betas }: RequestContext, report: Report): void {
  const need = (names: readonly string[] | undefined, path: string) => {
    if (names && !names.some((name) => betas.has(name)))
      report("beta", path, `Extra inputs are not permitted (needs the beta header ${names[0]})`);
  };
  for (const [name, names] of Object.entries(parameterBetas)) {
    if (isGiven(body[name])) need(names, name);
  }
  if (isRecord(body.thinking) && isGiven(body.thinking.block_binding))
    need(["thinking-binding-controls-2026-08-01"], "thinking.block_binding");
  const management = body.context_management;
  if (isRecord(management) && Array.isArray(management.edits)) {
    for (const [index, edit] of management.edits.entries()) {
      if (isRecord(edit) && edit.type === "compact_20260112")
        need(["compact-2026-01-12"], `context_management.edits.${index}`);
    }
  }
  if (!Array.isArray(body.messages)) return;
  for (const [index, message] of body.messages.entries()) {
    if (!isRecord(message)) continue;
    for (const [field, names] of Object.entries(systemMessageBetas)) {
      if (message.role === "system" && isGiven(message[field])) need(names, `messages.${index}.${field}`);
    }
    for (const [at, { type, signature }] of contentOf(message).entries()) {
      const isOnDemand = type === "compaction" && typeof signature === "string";
      need(
        isOnDemand ? parameterBetas.compaction : lookUp(blockBetas, type),
        `messages.${index}.content.${at}`,
      );
    }
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
