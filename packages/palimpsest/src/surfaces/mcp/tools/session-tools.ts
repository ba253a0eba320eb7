import type { ContextUsage, MemoryHit } from "@palimpsest/core/spec";
import type { PublishedTool } from "../published-tool.ts";

const session = {
  type: "string",
  minLength: 1,
  maxLength: 200,
  description: "A session's id or the beginning of it, as sessions_search names it.",
} as const;

export const sessionsSearch: PublishedTool = {
  name: "sessions_search",
  title: "Search past sessions",
  description:
    "Finds messages and notes of this project's past sessions by words. Each hit names session and entry: recall gives it whole.",
  input_schema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 1000 },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 50,
        description: "How many hits at most; 10 when absent.",
      },
      kind: { enum: ["message", "notes"], description: "Only these; both when absent." },
    },
    required: ["query"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { memory }) {
    const { query, limit, kind } = input as { query: string; limit?: number; kind?: "message" | "notes" };
    const hits = await memory.search(query, {
      kinds: kind === undefined ? ["message", "notes"] : [kind],
      ...(limit !== undefined && { limit }),
    });
    const lines = hits.map(
      ({ session: from = "", entry = "", at = "", snippet }) => `${from}  ${entry}  ${at}\n  ${snippet}`,
    );
    return {
      text: lines.length === 0 ? `Nothing that was said matches “${query}”.` : lines.join("\n"),
      fields: { hits: hits.map(messageHitRow) },
    };
  },
};

function messageHitRow({ kind = "message", session: from, entry, at, score, snippet }: MemoryHit) {
  return { kind, session: from ?? null, entry: entry ?? null, at: at ?? null, score, snippet };
}

export const recall: PublishedTool = {
  name: "recall",
  title: "Recall from a session",
  description:
    "Gives anything of a session whole by its id: an entry, a tool call with its result, a blob. Also what was cleared or compacted away. Long ones come in pages.",
  input_schema: {
    type: "object",
    properties: {
      session,
      id: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "Of the entry, the call or the blob.",
      },
      offset: { type: "integer", minimum: 0, description: "Where to begin, in characters." },
      limit: { type: "integer", minimum: 1, maximum: 100_000, description: "How many characters at most." },
    },
    required: ["session", "id"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { sessions }) {
    const {
      session: from,
      id,
      ...page
    } = input as {
      session: string;
      id: string;
      offset?: number;
      limit?: number;
    };
    const { text, ...rest } = await sessions.recall(from, id, page);
    const more =
      rest.nextOffset === undefined
        ? ""
        : `\n\n[${rest.totalChars - rest.nextOffset} more characters: call again with offset ${rest.nextOffset}]`;
    return { text: `${text}${more}`, fields: { ...rest, text } };
  },
};

export const contextReport: PublishedTool = {
  name: "context_report",
  title: "What fills a session's context",
  description:
    "Says how full a session's context is, and with what: tokens by category, by tool, files read twice.",
  input_schema: {
    type: "object",
    properties: { session },
    required: ["session"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run(input, { sessions }) {
    const { session: named } = input as { session: string };
    const usage = await sessions.usage(named);
    return { text: reportLines(usage).join("\n"), fields: { ...usage } };
  },
};

function reportLines({ count, thresholds, percentLeft, accounting }: ContextUsage): readonly string[] {
  const shares = Object.entries(accounting.categories)
    .filter(([, { tokens }]) => tokens > 0)
    .sort(([, one], [, other]) => other.tokens - one.tokens);
  const tools = accounting.resultsByTool.slice(0, 8);
  return [
    `${count.tokens} of ${thresholds.window} tokens (${count.source}); ${percentLeft} % left before compaction at ${thresholds.auto}`,
    ...shares.map(([name, { tokens, percent }]) => `  ${name}: ${tokens} (${percent ?? 0} %)`),
    ...(tools.length > 0 ? ["results by tool:"] : []),
    ...tools.map(({ name, tokens }) => `  ${name}: ${tokens}`),
  ];
}
