import { firstChars } from "@palimpsest/core/internal";
import type { Notice, NoticeSource, Tool } from "@palimpsest/core/spec";
import type { McpClients } from "../../tools/mcp/index.ts";

export interface ServedOptions {
  readonly mcp: Pick<McpClients, "notices" | "currentNotices">;
  /** Tools that are known from the beginning and not sent. */
  readonly deferred: readonly Tool[];
  /** What the model has before its eyes of this. */
  readonly told: () => readonly string[];
}

const maxNamesChars = 4_000;

/** Tells what MCP servers have besides the tools that are sent: each once, and all of it again once it has left the view. */
export function createServedSource({ mcp, deferred, told }: ServedOptions): NoticeSource {
  let hasTold = false;
  return {
    name: "mcp",
    async take(moment) {
      const isLost = hasTold && told().length === 0;
      const news = await mcp.notices.take(moment);
      const begin = hasTold && !isLost ? [] : deferredNotice(deferred);
      const notices = [...begin, ...(isLost ? mcp.currentNotices() : news)];
      hasTold ||= notices.length > 0;
      return notices;
    },
    restore: async () => (hasTold ? [...deferredNotice(deferred), ...mcp.currentNotices()] : []),
  };
}

function deferredNotice(deferred: readonly Tool[]): readonly Notice[] {
  if (deferred.length === 0) return [];
  const names = deferred.map(({ name }) => name).join(", ");
  const shown = firstChars(names, maxNamesChars);
  const text = `${deferred.length} tools of MCP servers are not in your list. ToolSearch finds them and says what they take, UseTool calls them: ${shown}${shown === names ? "" : "…"}`;
  return [{ subtype: "tools", text }];
}
