import { isBlock, type ViewItem } from "../../spec/index.ts";
import { isCacheEdit } from "../cache-edits.ts";
import { scanItems } from "../projection/item-list.ts";
import { isThinkingBlock } from "../request/violation.ts";
import { estimateBlock } from "../tokens/index.ts";

/** Thinking that no request needs any more: of the turns before the newest one. */
export interface FormerThinking {
  /** The entry of the newest of it: all up to there may leave the view together. */
  readonly upTo: string;
  /** Where the first of it stands. */
  readonly position: number;
  readonly tokens: number;
}

interface ThinkingState {
  former: FormerThinking | null;
  /** Of the turn that is being read. */
  own: FormerThinking | null;
  /** The message being read is the user's, and what is in it. */
  isUser: boolean;
  hasResults: boolean;
  /** The newest response calls tools: what the user's side says next holds their results, or will. */
  hasCalls: boolean;
}

const thinkingByTurn = scanItems(
  (): ThinkingState => ({
    former: null,
    own: null,
    isUser: false,
    hasResults: false,
    hasCalls: false,
  }),
  (state, item, position) => {
    if (isCacheEdit(item)) return;
    if (item.role === "user") {
      if (!state.isUser) state.hasResults = false;
      state.isUser = true;
      state.hasResults ||= isBlock(item.block, "tool_result");
      return;
    }
    if (isTurnEnd(state)) endTurn(state);
    if (state.isUser) state.hasCalls = false;
    state.isUser = false;
    state.hasCalls ||= isBlock(item.block, "tool_use");
    if (isThinkingBlock(item.block)) state.own = joinFormer(state.own, thinkingAt(item, position));
  },
);

/**
 * The thinking of former turns, `null` where there is none. A turn begins with a message of the user that holds no
 * results; within it the API wants thinking back. A part of the front of a conversation may leave it, and only that.
 */
export function formerThinking(items: readonly ViewItem[]): FormerThinking | null {
  const state = thinkingByTurn(items);
  return isTurnEnd(state) ? joinFormer(state.former, state.own) : state.former;
}

function isTurnEnd({ isUser, hasResults, hasCalls }: ThinkingState): boolean {
  return isUser && !hasResults && !hasCalls;
}

function endTurn(state: ThinkingState): void {
  state.former = joinFormer(state.former, state.own);
  state.own = null;
}

function thinkingAt(item: ViewItem, position: number): FormerThinking {
  return { upTo: item.entry, position, tokens: estimateBlock(item.block) };
}

function joinFormer(first: FormerThinking | null, then: FormerThinking | null): FormerThinking | null {
  if (!first || !then) return first ?? then;
  return { upTo: then.upTo, position: first.position, tokens: first.tokens + then.tokens };
}
