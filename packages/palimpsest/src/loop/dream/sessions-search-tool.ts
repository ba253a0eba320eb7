import { isDreamSession } from "@palimpsest/core/internal";
import type { Recall, RecallHit, Tool } from "@palimpsest/core/spec";

const usualHits = 10;
const mostHits = 30;

/** Finds words in past sessions, of any size. What dreams said about memory is not among them. */
export function createSessionsSearchTool(recall: Pick<Recall, "search" | "update">): Tool {
  let updated: Promise<unknown> | undefined;
  return {
    name: "sessions_search",
    description:
      "Finds passages of past sessions by words, best first: what the user and the assistant said, and notes. Give a few rare words, not a sentence.",
    input_schema: {
      type: "object",
      properties: {
        query: { type: "string", description: "Words." },
        limit: { type: "integer", minimum: 1, maximum: mostHits, description: `Default ${usualHits}.` },
        since: { type: "string", description: "Nothing older than this date, as 2026-01-31." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    isReadOnly: true,
    async run(input, { signal }) {
      const {
        query,
        limit = usualHits,
        since = "",
      } = input as {
        readonly query: string;
        readonly limit?: number;
        readonly since?: string;
      };
      updated ??= recall.update(signal);
      await updated;
      const sinceMs = Date.parse(since);
      const found = await recall.search(query, {
        limit: 2 * limit,
        kinds: ["message", "notes"],
        signal,
        ...(Number.isNaN(sinceMs) ? {} : { sinceMs }),
      });
      if (!found.ok) return { content: found.error.message, isError: true };
      const hits = found.value.hits.filter(({ session = "" }) => !isDreamSession(session)).slice(0, limit);
      return { content: hits.length === 0 ? "Nothing was found." : hits.map(toPassage).join("\n\n") };
    },
  };
}

function toPassage({ session = "", entry = "", kind, at, snippet }: RecallHit): string {
  return `${at.slice(0, 10)} ${session} ${kind} ${entry}\n${snippet}`;
}
