import { recallTool } from "@palimpsest/core";
import {
  type ContentBlock,
  type Entry,
  isBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type Usage,
} from "@palimpsest/core/spec";
import type { RecordedRequest, RecordedSession } from "../recorded-session.ts";
import type { RunTally } from "../run-tally.ts";
import type { MemoryLog } from "../session/memory-log.ts";
import type { RecordedFeed } from "../session/recorded-feed.ts";
import { estimatedTokens } from "../sizes/prompt-content.ts";
import { callIdOf, type MissingSource } from "./need-state.ts";
import { itemKey } from "./recorded-blocks.ts";

/** The output tokens of a call for one block. */
export const fetchCallTokens = 80;

/** Brings back what a view lacks: by one response with a call for each block, whose results stay. */
export interface Fetcher {
  /** `usage`: of the request that the calls answer. */
  fetch(missing: readonly MissingSource[], request: RecordedRequest, usage: Usage | undefined): Promise<void>;
  /** The blocks that entries hold copies of. */
  readonly copies: ReadonlyMap<string, readonly string[]>;
}

interface FetcherParts {
  readonly recorded: RecordedSession;
  readonly feed: RecordedFeed;
  readonly log: MemoryLog;
  readonly tally: RunTally;
}

export function createFetcher({ recorded, feed, log, tally }: FetcherParts): Fetcher {
  const copies = new Map<string, readonly string[]>();
  const kindOf = createBlockKinds(recorded);
  let fetched = 0;
  return {
    copies,
    async fetch(missing, { model }, usage) {
      const id = `fetch_${fetched}`;
      const blocks = missing.map((one) => {
        fetched += 1;
        return { one, ...fetchedBlock(one, `fetch_${fetched}`) };
      });
      await feed.add(`${id}_calls`, {
        role: "assistant",
        content: blocks.map(({ call }) => call),
        id,
        model,
        ...(usage && { usage }),
      });
      for (const { one, result } of blocks) tally.fetched(kindOf(one.source.block), estimatedTokens(result));
      copies.set(
        `${id}_results`,
        blocks.flatMap(({ one }) => copiedBlocks(one, log)),
      );
      await feed.add(`${id}_results`, { role: "user", content: blocks.map(({ result }) => result) });
    },
  };
}

/** The call that brings a block back, and the result it comes in. No policy clears results of this tool. */
function fetchedBlock(
  { source, recalled }: MissingSource,
  id: string,
): { readonly call: ToolUseBlock; readonly result: ToolResultBlock } {
  const { key, block, text } = source;
  const again = isBlock(block, "tool_result") ? (block.content ?? text) : text;
  return {
    call: { type: "tool_use", id, name: recallTool.name, input: { id: recalled?.id ?? key } },
    result: { type: "tool_result", tool_use_id: id, content: recalled?.text ?? again },
  };
}

/** An id of a call brings back the call and its result, an entry's all of its blocks. */
function copiedBlocks({ source, recalled }: MissingSource, log: MemoryLog): readonly string[] {
  if (!recalled) return [source.key];
  return log.entriesOf(recalled.id).flatMap((entry) => copiedFrom(entry, recalled.id));
}

function copiedFrom(entry: Entry, id: string): readonly string[] {
  if (entry.kind !== "message" || typeof entry.message.content === "string") return [];
  return entry.message.content.flatMap((block, at) =>
    entry.id === id || callIdOf(block) === id ? itemKey(entry.id, at) : [],
  );
}

/** The kind of a block: the tool of a result, the tool of a call, or its type. */
function createBlockKinds({ requests }: RecordedSession): (block: ContentBlock) => string {
  const tools = new Map<string, string>();
  for (const { response } of requests)
    for (const block of response.content) if (isBlock(block, "tool_use")) tools.set(block.id, block.name);
  return (block) => {
    if (isBlock(block, "tool_result")) return tools.get(block.tool_use_id) ?? block.type;
    return isBlock(block, "tool_use") ? `${block.name} input` : block.type;
  };
}
