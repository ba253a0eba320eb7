import { messageItems, userWords } from "@palimpsest/core/internal";
import { type ContentBlock, isBlock } from "@palimpsest/core/spec";
import {
  type RecordedMessage,
  type RecordedSession,
  type RecordedStep,
  stepsInForce,
} from "../recorded-session.ts";

/** A block of a recorded session, where the recorded agent first saw it. */
export interface RecordedBlock {
  /** Names the block in every replay of its session, as `itemKey` does. */
  readonly key: string;
  readonly block: ContentBlock;
  readonly text: string;
  readonly segment: number;
  /** The first request that held it, or would have: what was compacted at once was never sent. */
  readonly request: number;
  readonly isSent: boolean;
  /** Said by the user or by a recorded summary, not by a tool or the model. */
  readonly isGiven: boolean;
  /** What the user says in it; absent where a program put it there. Of a command that is its name and what stands behind it. */
  readonly words?: string;
}

/** The entry of a key. */
export function entryOfKey(key: string): string {
  return key.slice(0, key.lastIndexOf(":"));
}

/** The key of an item in a view: the same in all replays, since recorded entries keep their ids. */
export function itemKey(entry: string, index: number): string {
  return `${entry}:${index}`;
}

/**
 * Every block of the main conversation, in order. A response is first seen by the request after it, what was compacted at
 * once by none. What a recorded boundary keeps counts as gone.
 */
export function recordedBlocks(session: RecordedSession): readonly RecordedBlock[] {
  return session.requests.flatMap((request) => {
    const { index, segment, response, before } = request;
    const inForce = new Set(stepsInForce(request));
    return [
      ...before.flatMap((step) =>
        stepBlocks(step, { segment, request: index, isSent: inForce.has(step), isGiven: false }),
      ),
      ...response.content.map((block, at) =>
        toBlock(block, itemKey(response.id, at), {
          segment,
          request: index + 1,
          isSent: true,
          isGiven: false,
        }),
      ),
    ];
  });
}

type BlockFacts = Pick<RecordedBlock, "segment" | "request" | "isSent" | "isGiven">;

function stepBlocks(step: RecordedStep, facts: BlockFacts): readonly RecordedBlock[] {
  if (step.kind === "message") {
    const isUser = step.role === "user";
    return resultsFirst(step.content).map((block, at) => {
      const isGiven = isUser && !isBlock(block, "tool_result");
      const made = toBlock(block, itemKey(step.id, at), { ...facts, isGiven });
      const words = isGiven ? wordsOf(block, step) : null;
      return words === null ? made : { ...made, words };
    });
  }
  const { summary } = step.decision;
  if (!summary) return [];
  return messageItems(summary, { entry: step.id, seq: 0 }).map(({ block, index }) =>
    toBlock(block, itemKey(step.id, index), { ...facts, isGiven: true }),
  );
}

function wordsOf(block: ContentBlock, { flags }: RecordedMessage): string | null {
  return userWords({ type: "user", content: [block], ...flags });
}

/** As messages are settled when they are added. */
function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isResult = (block: ContentBlock) => isBlock(block, "tool_result");
  return [...content.filter(isResult), ...content.filter((block) => !isResult(block))];
}

function toBlock(block: ContentBlock, key: string, facts: BlockFacts): RecordedBlock {
  return { key, block, text: blockText(block), ...facts };
}

/** Line numbers as file tools print them, before a tab or an arrow. */
const gutter = /^ *\d+(?:\t|→)/gm;

/** A block's text, without the line numbers of file tools: the one that atoms are looked for in. */
export function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return block.text;
  if (isBlock(block, "thinking")) return block.thinking;
  if (isBlock(block, "tool_use")) return stringsOf(block.input).join("\n");
  if (isBlock(block, "tool_result")) return withoutGutters(resultText(block.content ?? ""));
  return "";
}

export function withoutGutters(text: string): string {
  return text.replace(gutter, "");
}

function resultText(content: string | readonly ContentBlock[]): string {
  return typeof content === "string" ? content : content.map(blockText).join("\n");
}

/** Every string in a value, keys left out, in order. */
export function stringsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
