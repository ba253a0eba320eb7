import { isBlock, type ViewItem } from "../../spec/index.ts";

/** A message of the assistant and what the user's side answers to it; the first round may have no assistant part. */
export interface Round {
  readonly assistant: ViewItem[];
  readonly user: ViewItem[];
}

/**
 * Groups items into rounds. Blocks of one response belong together even where tool results stand between them, as
 * they do when each block was written down as it came.
 */
export function toRounds(items: readonly ViewItem[]): readonly Round[] {
  const rounds: Round[] = [];
  for (const item of items) {
    const current = rounds.at(-1);
    if (item.role === "user") {
      if (current) current.user.push(item);
      else rounds.push({ assistant: [], user: [item] });
    } else if (current && belongsTo(current, item)) current.assistant.push(item);
    else rounds.push({ assistant: [item], user: [] });
  }
  return rounds;
}

function belongsTo({ assistant, user }: Round, item: ViewItem): boolean {
  const last = assistant.at(-1);
  if (!last) return false;
  if (user.length === 0) return true;
  const isSameResponse = item.response !== undefined && item.response === last.response;
  return isSameResponse && user.every(({ block }) => isBlock(block, "tool_result"));
}

/** The ids a round's assistant part calls, in order. */
export function callsOf({ assistant }: Round): readonly string[] {
  return assistant.flatMap(({ block }) => (isBlock(block, "tool_use") ? block.id : []));
}

/** A round as it is sent: results first, in the order of the calls, then everything else in its order. */
export function inOrder(round: Round): readonly ViewItem[] {
  const rank = new Map(callsOf(round).map((id, index) => [id, index]));
  const isResult = ({ block }: ViewItem) => isBlock(block, "tool_result");
  const rankOf = ({ block }: ViewItem) =>
    isBlock(block, "tool_result") ? (rank.get(block.tool_use_id) ?? rank.size) : 0;
  const results = round.user.filter(isResult).sort((a, b) => rankOf(a) - rankOf(b));
  return [...round.assistant, ...results, ...round.user.filter((item) => !isResult(item))];
}
