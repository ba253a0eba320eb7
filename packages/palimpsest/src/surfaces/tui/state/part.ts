import type { ToolOutcome, Usage } from "@palimpsest/core/spec";
import type { ChatState } from "./chat-state.ts";

/** Something that has happened and stays on the screen as it is. */
export type Part = { readonly id: number } & PartBody;

export type PartBody =
  | { readonly kind: "prompt"; readonly text: string }
  /** Markdown, whole paragraphs of it. */
  | { readonly kind: "answer"; readonly text: string; readonly isFirst: boolean }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly input: unknown;
      readonly output: ToolOutcome["content"];
      readonly isError: boolean;
      readonly durationMs: number;
      /** Shown with more of its output. */
      readonly isExpanded: boolean;
    }
  | { readonly kind: "note"; readonly level: "info" | "warning" | "error"; readonly text: string }
  /** A command's lines, which are safe to print and may have colours. */
  | { readonly kind: "panel"; readonly title: string; readonly lines: readonly string[] };

/** With one more thing that has happened. */
export function addPart(state: ChatState, ...bodies: readonly PartBody[]): ChatState {
  if (bodies.length === 0) return state;
  const first = state.parts.length;
  return { ...state, parts: [...state.parts, ...bodies.map((body, at) => ({ ...body, id: first + at }))] };
}

export function addNote(state: ChatState, level: "info" | "warning" | "error", text: string): ChatState {
  return addPart(state, { kind: "note", level, text });
}

export function addedUsage(sum: Usage, usage: Usage): Usage {
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheCreation: sum.cacheCreation + usage.cacheCreation,
  };
}
