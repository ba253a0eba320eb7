import type { Facts, Moment, RequestPatch, Verdict, View } from "../../spec/index.ts";
import { isCacheEdit } from "../../view/cache-edits.ts";
import { type ClearablePart, clearableParts, deletedParts } from "../../view/clearing/clearable-parts.ts";
import { newestRoundFrom } from "../../view/newest-answer.ts";
import type { MicrocompactCommand } from "./command.ts";
import { decideAppliedEdits } from "./rules/decide-applied-edits.ts";
import { isWorthALabel } from "./rules/worth-a-label.ts";
import { numbersOf, strategies } from "./settings.ts";
import { clearEconomically } from "./strategies/economic.ts";
import { clearOverThreshold } from "./strategies/threshold.ts";
import { type ClearingContext, type ClearingMoment, freedBy, type Strategy, sumTokens } from "./strategy.ts";

/** Before a request: what is cleared, and by which strategy. After a response: what the API has cleared. */
export function decideMicrocompact(view: View, moment: Moment, facts: Facts): Verdict<MicrocompactCommand> {
  if (moment.kind === "after-response")
    return decideAppliedEdits(view, moment.appliedEdits, facts.logAddress);
  const { switches } = facts.settings;
  if (switches?.microcompact === false) return { verdict: "skip", reason: "micro-compaction is off" };
  const numbers = numbersOf(facts);
  const compact = moment.kind === "before-request" ? moment.compact : undefined;
  if (compact?.from !== undefined || compact?.upTo !== undefined)
    return { verdict: "skip", reason: "a part is compacted, and the rest stays as it is" };
  const byHand =
    moment.kind === "before-request" && moment.trigger === "manual" && !compact ? moment : undefined;
  const context: ClearingContext = {
    view,
    facts,
    numbers,
    parts: clearableParts(view.items, facts.logAddress),
    unseenFrom: newestRoundFrom(view.items),
    ...(byHand && { byHand }),
  };
  const withoutCacheEdits = moment.kind === "before-request" && moment.withoutCacheEdits === true;
  const strategy = byHand ? clearOverThreshold : chooseStrategy({ facts, numbers, withoutCacheEdits });
  const { name } = strategy;
  const choice = strategy.choose(context);
  const basis = view.head;
  const isQuiet = isShortFork(facts) && moment.kind === "before-request" && moment.trigger === "auto";
  if (isQuiet && choice.choice !== "ask")
    return { verdict: "skip", reason: "a fork keeps the prefix that it shares with its parent" };
  if (choice.choice === "nothing") return { verdict: "skip", reason: `${name}: ${choice.reason}` };
  const reason = `${name}: ${choice.reason}`;
  if (choice.choice === "ask") return requestVerdict(choice.request, reason, basis);
  const trigger = byHand ? "manual" : "auto";
  const tokensBefore = view.count.tokens;
  const { parts } = choice;
  const usual = { parts, strategy: name, trigger, reason, basis, tokensBefore } as const;
  const isEdit = choice.choice === "edit";
  const thinking = choice.choice === "clear" ? choice.thinking : undefined;
  const command = isEdit
    ? { ...usual, deleted: [], behind: choice.behind }
    : {
        ...usual,
        deleted: editedPartsEndedBy(parts, view, facts.logAddress),
        ...(thinking && { thinking }),
      };
  const frees = (isEdit ? sumTokens(parts) : freedBy(parts)) + (thinking?.tokens ?? 0);
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}

/** The first one that is on and possible. */
export function chooseStrategy(moment: ClearingMoment): Strategy {
  const on = new Map<string, unknown>(Object.entries(moment.facts.settings.flags ?? {}));
  const all: readonly Strategy[] = strategies;
  const isOn = ({ flags }: Strategy) => Object.keys(flags).every((name) => Boolean(on.get(name)));
  const chosen = all.find((strategy) => isOn(strategy) && (strategy.isPossible?.(moment) ?? true));
  return chosen ?? clearEconomically;
}

/**
 * Forks live for a few requests, on what their parent has cached; an agent may go on for long. What the parent asks the
 * API to clear, its forks ask for too: the cache has the prompt as it was edited.
 */
function isShortFork({ source }: Facts): boolean {
  return source !== "main" && source !== "agent";
}

/** A label in front of a cache edit ends the edit. What it had deleted is not to come back: it gets labels too. */
function editedPartsEndedBy(
  parts: readonly ClearablePart[],
  { items }: View,
  logAddress: string | undefined,
): readonly ClearablePart[] {
  const deleted = deletedParts(items, logAddress);
  if (deleted.length === 0) return deleted;
  const newestEdit = items.findLastIndex(isCacheEdit);
  return parts.some(({ position }) => position < newestEdit) ? deleted.filter(isWorthALabel) : [];
}

function requestVerdict(request: RequestPatch, reason: string, basis: number): Verdict<MicrocompactCommand> {
  return { verdict: "act", command: { asks: true }, run: "inline", reason, frees: 0, basis, request };
}
