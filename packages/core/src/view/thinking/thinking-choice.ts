import { isBlock, type ViewItem } from "../../spec/index.ts";
import { scanItems } from "../projection/item-list.ts";
import { isThinking } from "./unbound-thinking.ts";

export interface ThinkingInput {
  /** Results were given for the newest calls and the model has not answered them: its thinking must come along. */
  readonly isRoundOpen: boolean;
  /** The model can be asked to drop thinking that is bound to another prefix. */
  readonly acceptsDropping: boolean;
  /** Requests ask for thinking. Without that the API cannot be told what to do with bound thinking. */
  readonly isThinkingOn: boolean;
}

/**
 * The action for kept thinking when something before it changes, on a model that binds it. An edit by the API itself
 * comes before all of these: it changes no byte that is sent. `wait` holds for an edit that was not made yet.
 */
export type ThinkingChoice = "drop-block" | "strip" | "wait";

export function chooseForThinking(input: ThinkingInput): ThinkingChoice {
  if (input.acceptsDropping && input.isThinkingOn) return "drop-block";
  return input.isRoundOpen ? "wait" : "strip";
}

/** Whether the newest message answers calls. */
export function isRoundOpen(items: readonly ViewItem[]): boolean {
  const last = items.findLastIndex(({ role }) => role === "assistant");
  return last !== -1 && items.slice(last + 1).some(({ block }) => isBlock(block, "tool_result"));
}

/**
 * Whether the model is to go on, in a round that is open or from words of its own, in a turn whose first response does
 * not begin with thinking: with thinking enabled the API refuses such a request. A turn begins behind the last message of the user that holds no results.
 */
export function isTurnWithoutThinking(items: readonly ViewItem[]): boolean {
  if (items.at(-1)?.role !== "assistant" && !isRoundOpen(items)) return false;
  const { first } = newestTurn(items);
  return first !== undefined && !isThinking(first);
}

/** How far a view has been read, and what its newest turn began with. */
interface TurnState {
  role: ViewItem["role"] | undefined;
  /** Of the message of the user read last. */
  hasResults: boolean;
  hasAnswer: boolean;
  /** Whether the message being read is the turn's first response. */
  isFirstAnswer: boolean;
  first: ViewItem | undefined;
}

const noTurn = {
  role: undefined,
  hasResults: false,
  hasAnswer: false,
  isFirstAnswer: false,
  first: undefined,
};

const newestTurn = scanItems(
  (): TurnState => ({ ...noTurn }),
  (turn, item) => {
    if (item.role !== turn.role) beginMessage(turn, item.role);
    if (item.role === "user") turn.hasResults ||= isBlock(item.block, "tool_result");
    else if (turn.isFirstAnswer && item.block.type !== "compaction") turn.first ??= item;
  },
);

function beginMessage(turn: TurnState, role: ViewItem["role"]): void {
  const wasAsked = turn.role === "user" && !turn.hasResults;
  turn.role = role;
  if (role === "user") {
    turn.hasResults = false;
    return;
  }
  turn.isFirstAnswer = wasAsked || !turn.hasAnswer;
  turn.hasAnswer = true;
  if (wasAsked) turn.first = undefined;
}

/** Whether thinking is left behind the first place at which the items after an edit differ from those before it. */
export function changesBoundPrefix(before: readonly ViewItem[], after: readonly ViewItem[]): boolean {
  let shared = 0;
  while (shared < before.length && before[shared] === after[shared]) shared += 1;
  if (shared === before.length) return false;
  return after.slice(shared).some(isThinking);
}
