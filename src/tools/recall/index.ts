import { fail, ok, PalimpsestError, type Result, type Session, type Tool } from "../../spec/index.ts";

/** Gives back what was cleared, offloaded or compacted away, by id or by words. */
export const recallTool: Pick<Tool, "name" | "description" | "input_schema"> = {
  name: "Recall",
  description:
    "Reads back something that is no longer in the conversation. Give the id that a label names (“recall <id>”) to get its whole content, page by page; or give words to search everything that was said and done in this session. Read-only.",
  input_schema: {
    type: "object",
    properties: {
      id: { type: "string", description: "The id of a tool use, an entry, a decision or a blob." },
      query: { type: "string", description: "Words to search for, where the id is not known." },
      offset: { type: "integer", description: "Where to go on reading, as the page before said." },
      limit: { type: "integer", description: "How many characters, or hits of a search, at most." },
    },
  },
};

/** The tool as the loop runs it: it pages itself. */
export function createRecallTool(): Tool {
  return {
    ...recallTool,
    isReadOnly: true,
    maxResultChars: Number.POSITIVE_INFINITY,
    async run(input, { session }) {
      const answered = await answerRecall(session, input);
      if (answered.ok) return { content: answered.value };
      const { message, fix } = answered.error;
      return { content: fix === undefined ? message : `${message} ${fix}`, isError: true };
    },
  };
}

interface RecallInput {
  readonly id?: string;
  readonly query?: string;
  readonly offset?: number;
  readonly limit?: number;
}

/**
 * What the tool answers a call with. It is marked as recalled, and enters the conversation like any result: at its end.
 * A failure says what to do instead.
 */
export async function answerRecall(
  session: Pick<Session, "recall" | "search">,
  input: unknown,
): Promise<Result<string>> {
  const { id, query, offset, limit } = (input ?? {}) as RecallInput;
  try {
    if (typeof id === "string" && id !== "") {
      const page = await session.recall(id, { offset, limit });
      const end = page.offset + page.text.length;
      const more =
        page.nextOffset === undefined
          ? ""
          : `\n[Characters ${page.offset} to ${end} of ${page.totalChars}. Go on with offset ${page.nextOffset}.]`;
      return ok(`<recalled id="${page.id}" kind="${page.kind}">\n${page.text}\n</recalled>${more}`);
    }
    if (typeof query === "string" && query.trim() !== "") return ok(await hitsOf(session, query, limit));
    return fail("invalid-input", "Recall needs an id or a query.", { fix: "Give one of them." });
  } catch (error) {
    if (error instanceof PalimpsestError) return { ok: false, error };
    throw error;
  }
}

async function hitsOf(session: Pick<Session, "search">, query: string, limit?: number): Promise<string> {
  const hits = await session.search(query, { limit });
  if (hits.length === 0) return `Nothing in this session holds the words “${query}”.`;
  const lines = hits.map(({ entry, at, snippet, toolUseIds }) => {
    const ids = toolUseIds ? toolUseIds.join(", ") : entry;
    return `- ${at} · recall ${ids}\n  ${snippet}`;
  });
  return `<recalled query="${query.replaceAll('"', "'")}">\n${lines.join("\n")}\n</recalled>`;
}
