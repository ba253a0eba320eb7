import type { PublishedTool } from "../published-tool.ts";
import { memoryHistory, memoryRead, memorySearch, memoryWrite } from "./memory-tools.ts";
import { contextReport, recall, sessionsSearch } from "./session-tools.ts";

/** Everything the server lets others call, in the order of its list. */
export const publishedTools: readonly PublishedTool[] = [
  memorySearch,
  memoryRead,
  memoryWrite,
  memoryHistory,
  sessionsSearch,
  recall,
  contextReport,
];
