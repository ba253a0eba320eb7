import { isBlock, type SnipDecision, type View, type ViewItem } from "../../../spec/index.ts";
import { type Measure, measureItems } from "../../../view/tokens/measure.ts";
import { type ItemRange, indivisibleRanges } from "../folding/rules/find-spans.ts";
import { compactionLayerId } from "./build-boundary.ts";

/** The newest rounds are what the work stands on: they stay. */
const keptRounds = 3;
/** Shorter words of an input occur anywhere. */
const minNameChars = 4;

/** Words of an input that say what a call was about. */
const maxNameChars = 500;

/** A named round that is not removed. */
export interface SnipRefusal {
  readonly id: string;
  readonly reason: string;
}

export interface SnipPlan {
  /** `null` where nothing is removed. */
  readonly decision: SnipDecision | null;
  readonly rounds: number;
  /** Of the ids that were named; empty where none were. */
  readonly refused: readonly SnipRefusal[];
}

type SnipView = Pick<View, "items" | "head" | "ledgers">;

/**
 * The rounds of tools that nothing later refers to, by their calls' ids or by anything their inputs name, as a decision
 * that leaves one line in their place; `null` where there are none. What the user said and unresolved failures stay.
 * Where ids of entries or calls are given, only their rounds are removed.
 */
export function decideSnip(view: SnipView, measure: Measure, ids?: readonly string[]): SnipDecision | null {
  return planSnip(view, measure, ids).decision;
}

/** The decision, and why ids that were named are refused. What only refers to each other and is named goes together. */
export function planSnip(
  given: SnipView,
  measure: Measure,
  ids?: readonly string[],
  logAddress?: string,
): SnipPlan {
  /** Every round is looked for in all items behind it: their JSON is written once. */
  const view = { ...given, items: given.items.map((item) => ({ ...item })) };
  const rounds = roundsOf(view.items);
  if (ids === undefined) {
    const gone = rounds.filter((round) => reasonToStay(round, rounds, view, new Set()) === null);
    return { ...snipRounds(gone, view, measure, logAddress), refused: [] };
  }
  const { gone, refused } = findNamed(rounds, view, ids);
  const plan = snipRounds(gone, view, measure, logAddress);
  if (plan.decision || gone.length === 0) return { ...plan, refused };
  const isRefused = new Set(refused.map(({ id }) => id));
  const small = ids.filter((id) => !isRefused.has(id));
  const reason = "the line in its place would be as long";
  return { ...plan, refused: [...refused, ...small.map((id) => ({ id, reason }))] };
}

/** A round of the view: its items and where they stand. */
interface PlacedRound extends ItemRange {
  readonly items: readonly ViewItem[];
}

/** Rounds that can be taken out without cutting anything apart, oldest first. */
function roundsOf(items: readonly ViewItem[]): readonly PlacedRound[] {
  return indivisibleRanges(items).flatMap((range) =>
    items[range.from]?.role === "assistant" ? { ...range, items: items.slice(range.from, range.to) } : [],
  );
}

/** Newest first, so that a round may go once all that refers to it goes. */
function findNamed(rounds: readonly PlacedRound[], view: SnipView, ids: readonly string[]) {
  const wanted = new Map(ids.map((id) => [id, rounds.find((round) => hasEntry(round, id))]));
  const chosen = new Set([...wanted.values()].flatMap((round) => round ?? []));
  const reasons = new Map<PlacedRound, string>();
  const gone: PlacedRound[] = [];
  for (const round of rounds.toReversed()) {
    if (!chosen.has(round)) continue;
    const leaving = new Set(gone.flatMap(({ items }) => items));
    const reason = reasonToStay(round, rounds, view, leaving);
    if (reason === null) gone.unshift(round);
    else reasons.set(round, reason);
  }
  const refused = [...wanted].flatMap(([id, round]): readonly SnipRefusal[] => {
    const reason = round ? reasons.get(round) : "no round in the conversation has it";
    return reason === undefined ? [] : [{ id, reason }];
  });
  return { gone, refused };
}

function hasEntry({ items }: PlacedRound, id: string): boolean {
  return items.some(({ entry, block }) => {
    const call = isBlock(block, "tool_use") ? block.id : isBlock(block, "tool_result") && block.tool_use_id;
    return entry === id || call === id;
  });
}

/** `leaving`: what refers to it no more, since it goes too. */
function reasonToStay(
  round: PlacedRound,
  rounds: readonly PlacedRound[],
  { items, ledgers }: SnipView,
  leaving: ReadonlySet<ViewItem>,
): string | null {
  if (rounds.indexOf(round) >= rounds.length - keptRounds) return "it is one of the newest rounds";
  if (!isToolRound(round.items)) return "it is not made of tool calls and results alone";
  const names = namesOf(round.items);
  const failed = ledgers.unresolvedErrors.some(({ toolUseId }) => names.includes(toolUseId));
  if (failed) return "a failure in it is not resolved";
  const quoted = names.map((name) => JSON.stringify(name).slice(1, -1));
  const later = items.slice(round.to);
  const isReferred = later.some(
    (item) => !leaving.has(item) && quoted.some((name) => item.json.includes(name)),
  );
  return isReferred ? "a later round refers to it" : null;
}

/** Calls and their results, nothing that a decision put there, and not a word of the user's. */
function isToolRound(round: readonly ViewItem[]): boolean {
  const isOwn = round.every(({ entry, decision }) => entry !== decision);
  const isSaid = round.some(({ role, block }) => role === "user" && !isBlock(block, "tool_result"));
  return isOwn && !isSaid && round.some(({ block }) => isBlock(block, "tool_use"));
}

function snipRounds(
  gone: readonly PlacedRound[],
  { head }: SnipView,
  measure: Measure,
  logAddress: string | undefined,
): Pick<SnipPlan, "decision" | "rounds"> {
  const none = { decision: null, rounds: 0 };
  if (gone.length === 0) return none;
  const items = gone.flatMap((round) => round.items);
  const entries = [...new Set(items.map(({ entry }) => entry))];
  const where = logAddress === undefined ? "Recall gives them back" : `They are in ${logAddress}`;
  const marker = `[Removed here: ${countRounds(gone.length)} of tool calls. ${where}: ${entries.join(", ")}.]`;
  const frees = measureItems(items, measure) - measure(marker);
  if (frees <= 0) return none;
  const reason = `${countRounds(gone.length)} that nothing refers to`;
  const decision = {
    type: "snip",
    layer: compactionLayerId,
    reason,
    frees,
    basis: head,
    entries,
    marker,
  } as const;
  return { decision, rounds: gone.length };
}

function namesOf(round: readonly ViewItem[]): readonly string[] {
  return round.flatMap(({ block }) => {
    if (!isBlock(block, "tool_use")) return [];
    const values = Object.values((block.input ?? {}) as Readonly<Record<string, unknown>>);
    const named = values.filter(
      (value): value is string =>
        typeof value === "string" && value.length >= minNameChars && value.length <= maxNameChars,
    );
    return [block.id, ...named];
  });
}

function countRounds(rounds: number): string {
  return rounds === 1 ? "1 finished round" : `${rounds} finished rounds`;
}
