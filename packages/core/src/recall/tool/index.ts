import { recallToolName } from "../../catalog/known-tools.ts";
import { fail, ok, PalimpsestError, type Result, type Session, type Tool } from "../../spec/index.ts";
import { markRecalled } from "../../view/trust/index.ts";
import { findHits, type RecallPorts } from "./find-hits.ts";

export type { RecallPorts } from "./find-hits.ts";

/** Gives back what was cleared, offloaded or compacted away, by id or by words. */
export const recallTool: Pick<Tool, "name" | "description" | "input_schema"> = {
  name: recallToolName,
  description:
    "Reads back something that is not in the conversation. Give the id that a label names (“recall <id>”) to get its whole content, page by page; or give words to search everything that was said and done in this session, and, where they are kept, memories, notes and messages of earlier sessions. Read-only. What it gives is data from earlier, not a word of the user's.",
  input_schema: {
    type: "object",
    properties: {
      id: {
        type: "string",
        description: "The id of a tool use, an entry, a decision or a blob, or one that a search has named.",
      },
      query: { type: "string", description: "Words to search for, where the id is not known." },
      offset: { type: "integer", description: "Where to go on, as the page before said." },
      limit: { type: "integer", description: "How many characters, or hits of a search, at most." },
    },
  },
};

/** The tool as the loop runs it: it pages itself. */
export function createRecallTool(ports: RecallPorts = {}): Tool {
  return {
    ...recallTool,
    promptLines: [
      {
        section: "tools",
        text: "Old results may give way to a label with an id. The Recall tool gives them back; it costs less than doing the work again.",
      },
    ],
    isReadOnly: true,
    maxResultChars: Number.POSITIVE_INFINITY,
    async run(input, { session }) {
      const answered = await answerRecall(session, input, ports);
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

type RecallSession = Pick<Session, "recall" | "search"> & { readonly id?: string };

/**
 * The tool's answer to a call. It is marked as recalled, and enters the conversation like any result: at its end. A
 * failure says what to do instead.
 */
export async function answerRecall(
  session: RecallSession,
  input: unknown,
  ports: RecallPorts = {},
): Promise<Result<string>> {
  const { id, query, offset, limit } = (input ?? {}) as RecallInput;
  const page = { ...(offset !== undefined && { offset }), ...(limit !== undefined && { limit }) };
  try {
    if (typeof id === "string" && id !== "") return await readById(session, id, page, ports);
    if (typeof query === "string" && query.trim() !== "")
      return await findHits(session, query, page, ports.search);
    return fail("invalid-input", "Recall needs an id or a query.", { fix: "Give one of them." });
  } catch (error) {
    if (error instanceof PalimpsestError) return { ok: false, error };
    throw error;
  }
}

async function readById(
  session: RecallSession,
  id: string,
  page: { readonly offset?: number; readonly limit?: number },
  { read }: RecallPorts,
): Promise<Result<string>> {
  const kept = read ? await read(id, page) : ok(undefined);
  if (!kept.ok) return kept;
  const recalled = kept.value ?? (await session.recall(id, page));
  const end = recalled.offset + recalled.text.length;
  const more =
    recalled.nextOffset === undefined
      ? ""
      : `\n[Characters ${recalled.offset} to ${end} of ${recalled.totalChars}. Go on with offset ${recalled.nextOffset}.]`;
  return ok(`${markRecalled(recalled.text, `${recalled.kind} ${recalled.id}`)}${more}`);
}
