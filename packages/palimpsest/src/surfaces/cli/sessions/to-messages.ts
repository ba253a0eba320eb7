import {
  type ContentBlock,
  type Entry,
  isBlock,
  type Message,
  type RequestMessage,
} from "@palimpsest/core/spec";

export interface Conversation {
  readonly messages: readonly RequestMessage[];
  /** What is not part of it, and how many. */
  readonly leftOut: Readonly<Record<string, number>>;
}

interface Said {
  readonly role: "user" | "assistant";
  readonly responseId: string | undefined;
  readonly content: ContentBlock[];
}

/**
 * What was said, as the messages of an API: whole, before any clearing or compaction, and without what a rewind took
 * back. Entries of one response are one message; neighbouring user messages are one, tool results first.
 */
export function toMessages(entries: Iterable<Entry>): Conversation {
  const leftOut: Record<string, number> = {};
  const said: Said[] = [];
  for (const message of liveMessages(entries)) {
    const reason = whyLeftOut(message);
    if (reason === null) add(said, message);
    else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  }
  return { messages: said.map(({ role, content }) => ({ role, content: resultsFirst(content) })), leftOut };
}

/** Messages that no rewind has taken back; restoring the rewind brings them again. */
function liveMessages(entries: Iterable<Entry>): readonly Message[] {
  let live: Entry[] = [];
  const rewound = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.kind === "decision" && entry.decision.type === "rewind") {
      const { to } = entry.decision;
      const last = live.findLastIndex(({ id }) => id === to);
      rewound.set(entry.id, live);
      live = last === -1 ? [...live] : live.slice(0, last + 1);
    } else if (entry.kind === "decision" && entry.decision.type === "restore") {
      live = rewound.get(entry.decision.decision) ?? live;
    } else live.push(entry);
  }
  return live.flatMap((entry) => (entry.kind === "message" ? entry.message : []));
}

function whyLeftOut(message: Message): string | null {
  if (message.type === "attachment") return "attachments";
  if (message.type !== "user" && message.type !== "assistant") return "notices";
  if (message.isSidechain) return "messages of sub-agents";
  if (message.isAborted) return "aborted responses";
  if (message.isCompactSummary) return "summaries";
  return message.isApiErrorMessage && message.model === "<synthetic>" ? "local errors" : null;
}

function add(said: Said[], { type, content, responseId }: Message): void {
  const blocks = toBlocks(content);
  if (blocks.length === 0) return;
  const role = type === "assistant" ? "assistant" : "user";
  const same = role === "assistant" ? sameResponse(said, responseId) : said.at(-1);
  if (same?.role === role) same.content.push(...blocks);
  else said.push({ role, responseId, content: [...blocks] });
}

/** The response's earlier part, also behind the results that came while it was still being written down. */
function sameResponse(said: readonly Said[], responseId: string | undefined): Said | undefined {
  const last = said.at(-1);
  const before = last !== undefined && isOnlyResults(last) ? said.at(-2) : last;
  return responseId !== undefined && before?.responseId === responseId ? before : undefined;
}

function isOnlyResults({ role, content }: Said): boolean {
  return role === "user" && content.every((block) => isBlock(block, "tool_result"));
}

function toBlocks(content: unknown): readonly ContentBlock[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isResult = (block: ContentBlock) => isBlock(block, "tool_result");
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}
