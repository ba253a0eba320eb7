import { clearableParts } from "../../context/clearing/clearable-parts.ts";
import type { Facts, Moment, RequestPatch, Verdict, View } from "../../spec/index.ts";
import { chooseStrategy } from "./choose-strategy.ts";
import type { MicrocompactCommand } from "./command.ts";
import { decideApplied } from "./decide-applied.ts";
import { numbersOf } from "./numbers.ts";
import { clearOverThreshold } from "./strategies/threshold.ts";
import { type ClearingContext, freedBy } from "./strategy.ts";

/** Before a request: what is cleared, and by which strategy. After a response: what the API has cleared. */
export function decideMicrocompact(view: View, moment: Moment, facts: Facts): Verdict<MicrocompactCommand> {
  if (moment.kind === "after-response") return decideApplied(view, moment.appliedEdits);
  const { switches } = facts.settings as { readonly switches?: { readonly microcompact?: boolean } };
  if (switches?.microcompact === false) return { verdict: "skip", reason: "micro-compaction is off" };
  const numbers = numbersOf(facts);
  const byHand = moment.kind === "before-request" && moment.trigger === "manual" ? moment : undefined;
  const context: ClearingContext = {
    view,
    facts,
    numbers,
    parts: clearableParts(view.items),
    ...(byHand && { byHand }),
  };
  const { name, strategy } = byHand
    ? { name: "threshold" as const, strategy: clearOverThreshold }
    : chooseStrategy(facts, numbers);
  const choice = strategy(context);
  const basis = view.head;
  if (choice.choice === "nothing") return { verdict: "skip", reason: `${name}: ${choice.reason}` };
  const reason = `${name}: ${choice.reason}`;
  if (choice.choice === "ask") return asked(choice.request, reason, basis);
  const trigger = byHand ? "manual" : "auto";
  const tokensBefore = view.count.tokens;
  const command = { parts: choice.parts, strategy: name, trigger, reason, basis, tokensBefore } as const;
  return { verdict: "act", command, run: "inline", reason, frees: freedBy(choice.parts), basis };
}

function asked(request: RequestPatch, reason: string, basis: number): Verdict<MicrocompactCommand> {
  return { verdict: "act", command: { asks: true }, run: "inline", reason, frees: 0, basis, request };
}
