import type { ContentBlock } from "@palimpsest/core/spec";

/** One block of an answer: what a builder makes, or any block in the API's own shape, which is sent as it is. */
export type AnswerBlock = SaidText | ToolCall | Thought | RedactedThought | ContentBlock;

export interface SaidText {
  readonly type: "text";
  readonly text: string;
}

export interface ToolCall {
  readonly type: "tool_use";
  readonly name: string;
  readonly input: unknown;
  /** The emulator counts one out when absent. */
  readonly id?: string;
}

export interface Thought {
  readonly type: "thinking";
  readonly thinking: string;
  /** The emulator signs it when absent. */
  readonly signature?: string;
}

export interface RedactedThought {
  readonly type: "redacted_thinking";
  /** The emulator makes it when absent. */
  readonly data?: string;
}

/** An answer with more said about it than its blocks. */
export interface Answer {
  readonly kind: "answer";
  readonly content: readonly AnswerBlock[];
  /** `tool_use` when the content calls a tool, else `end_turn`. */
  readonly stopReason?: string;
  /** Instead of what the emulator counts. */
  readonly outputTokens?: number;
}

/** The model says something. */
export function say(text: string): SaidText {
  return { type: "text", text };
}

/** The model calls a tool. */
export function callTool(name: string, input: unknown = {}, id?: string): ToolCall {
  return { type: "tool_use", name, input, ...(id !== undefined && { id }) };
}

/** The model thinks; it is signed as the API signs, bound to what came before on models that do so. */
export function think(thinking: string): Thought {
  return { type: "thinking", thinking };
}

/** The model thinks and nobody may read it. */
export function thinkRedacted(): RedactedThought {
  return { type: "redacted_thinking" };
}

/** Blocks with a stop reason or a count of their own: `answer([say("No.")], { stopReason: "refusal" })`. */
export function answer(
  content: AnswerBlock | readonly AnswerBlock[],
  options: Omit<Answer, "kind" | "content"> = {},
): Answer {
  return { kind: "answer", content: toBlocks(content), ...options };
}

export function toBlocks(content: AnswerBlock | readonly AnswerBlock[]): readonly AnswerBlock[] {
  return Array.isArray(content) ? (content as readonly AnswerBlock[]) : [content as AnswerBlock];
}
