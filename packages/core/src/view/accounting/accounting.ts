import type { Category } from "../../spec/index.ts";

/** What a token in the context may belong to, in the order in which requests have it, as far as there is one. */
export const categories = [
  "systemPrompt",
  "builtInTools",
  "mcpTools",
  "memoryFiles",
  "summaries",
  "humanMessages",
  "assistantMessages",
  "thinking",
  "toolRequests",
  "toolResults",
  "attachments",
  "localCommandOutput",
  "imagesAndDocuments",
  "other",
] as const satisfies readonly Category[];

export type {
  Accounting,
  Category,
  DuplicateReads,
  MetricFailure,
  NamedShare,
  Share,
} from "../../spec/index.ts";
