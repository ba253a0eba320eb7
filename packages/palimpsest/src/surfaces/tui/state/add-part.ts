import type { ChatState } from "./chat-state.ts";
import type { PartBody } from "./part.ts";

/** With one more thing that has happened. */
export function addPart(state: ChatState, ...bodies: readonly PartBody[]): ChatState {
  if (bodies.length === 0) return state;
  const first = state.parts.length;
  return { ...state, parts: [...state.parts, ...bodies.map((body, at) => ({ ...body, id: first + at }))] };
}

export function addNote(state: ChatState, level: "info" | "warning" | "error", text: string): ChatState {
  return addPart(state, { kind: "note", level, text });
}
