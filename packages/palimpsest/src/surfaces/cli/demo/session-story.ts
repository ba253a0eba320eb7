import { type Entry, isBlock, type Message, type Usage } from "@palimpsest/core/spec";

/** One prompt of the user and what came of it. */
export interface StoryTurn {
  readonly prompt: string;
  readonly at: string;
  /** Since the last entry of the turn before. */
  readonly idleMs: number;
  readonly requests: number;
  readonly calls: number;
  readonly failures: number;
  /** Tokens of the context at the turn's last request. */
  readonly contextTokens: number;
}

export interface SessionStory {
  readonly title: string;
  readonly model: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly turns: readonly StoryTurn[];
  readonly requests: number;
  /** Of these: interrupted before they were answered. */
  readonly cutOff: number;
  readonly calls: number;
  readonly failures: number;
  readonly usage: Usage;
  /** The context of each request, in order. */
  readonly contextTokens: readonly number[];
}

type OpenTurn = { -readonly [Field in keyof StoryTurn]: StoryTurn[Field] };

/** Collects a session's story entry by entry. */
export function createStoryWriter(): { visit(entry: Entry): void; story(): SessionStory } {
  const turns: OpenTurn[] = [];
  const responses = new Map<string, Usage>();
  const contextTokens: number[] = [];
  const cutOff = new Set<string>();
  let title = "";
  let model = "";
  let startedAt = "";
  let endedAt = "";

  function beginTurn(prompt: string, at: string): void {
    const idleMs = endedAt === "" ? 0 : Date.parse(at) - Date.parse(endedAt);
    turns.push({ prompt, at, idleMs, requests: 0, calls: 0, failures: 0, contextTokens: 0 });
  }

  function takeResponse(message: Message): void {
    const turn = turns.at(-1);
    const { responseId, usage } = message;
    if (!turn || !usage || responseId === undefined) return;
    const size = usage.input + usage.cacheRead + usage.cacheCreation;
    if (!responses.has(responseId)) {
      turn.requests += 1;
      contextTokens.push(size);
    }
    responses.set(responseId, usage);
    if (message.isAborted) cutOff.add(responseId);
    turn.contextTokens = size;
  }

  function takeBlocks(message: Message): void {
    const turn = turns.at(-1);
    if (!turn || typeof message.content === "string") return;
    for (const block of message.content) {
      if (isBlock(block, "tool_use")) turn.calls += 1;
      if (isBlock(block, "tool_result") && block.is_error) turn.failures += 1;
    }
  }

  return {
    visit(entry) {
      startedAt ||= entry.at;
      if (entry.kind === "session") model = entry.session.model ?? "";
      if (entry.kind === "note" && entry.note.topic === "title") title = entry.note.title;
      if (entry.kind === "message") {
        const prompt = promptOf(entry.message);
        if (prompt !== null) beginTurn(prompt, entry.at);
        takeResponse(entry.message);
        takeBlocks(entry.message);
      }
      endedAt = entry.at;
    },
    story: () => ({
      title,
      model,
      startedAt,
      endedAt,
      turns,
      requests: responses.size,
      cutOff: cutOff.size,
      calls: turns.reduce((sum, turn) => sum + turn.calls, 0),
      failures: turns.reduce((sum, turn) => sum + turn.failures, 0),
      usage: [...responses.values()].reduce(addUsage, {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheCreation: 0,
      }),
      contextTokens,
    }),
  };
}

function addUsage(sum: Usage, usage: Usage): Usage {
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheCreation: sum.cacheCreation + usage.cacheCreation,
  };
}

/** The user's own words; `null` for results, attachments and everything the assistant says. */
function promptOf(message: Message): string | null {
  if (message.type !== "user" || message.isMeta) return null;
  if (typeof message.content === "string") return message.content;
  if (message.content.some((block) => isBlock(block, "tool_result"))) return null;
  const texts = message.content.flatMap((block) => (isBlock(block, "text") ? block.text : []));
  return texts.length > 0 ? texts.join(" ") : null;
}
