import { count } from "../../../settings/declare.ts";
import { offByDefault } from "../../../settings/flag.ts";
import { isWorthALabel } from "../rules/worth-a-label.ts";
import { chooseNothing, freedBy, resultsIn, type Strategy, seenParts, sumTokens } from "../strategy.ts";

const settings = {
  thresholdTokens: count(
    40_000,
    "with the flag `clear-threshold`: results over this many tokens are cleared down to it",
  ),
  thresholdKeep: count(3, "with the flag `clear-threshold`: number of newest results that stay"),
  thresholdMinSavedTokens: count(
    20_000,
    "with the flag `clear-threshold`: clears only if that saves at least this many tokens",
  ),
};

const flags = { "clear-threshold": offByDefault("Clears tool results once they exceed a number of tokens.") };

/** Results that exceed a count of tokens are cleared, oldest first, until at most so many are left. */
export const clearOverThreshold: Strategy<typeof settings, typeof flags> = {
  name: "threshold",
  flags,
  settings,
  choose(context) {
    const { parts, numbers, byHand } = context;
    const { thresholdKeep, thresholdMinSavedTokens } = numbers;
    const target = byHand?.targetTokens ?? numbers.thresholdTokens;
    const results = resultsIn(parts);
    const all = sumTokens(results);
    if (all <= target) return chooseNothing(`results have ${all} tokens, not over ${target}`);
    const open = seenParts(thresholdKeep === 0 ? results : results.slice(0, -thresholdKeep), context);
    let left = all;
    const old = open.filter((part) => {
      if (left <= target || !isWorthALabel(part)) return false;
      left -= part.tokens;
      return true;
    });
    const saved = freedBy(old);
    if (!byHand && saved < thresholdMinSavedTokens)
      return chooseNothing(`clearing would save ${saved} tokens, under ${thresholdMinSavedTokens}`);
    if (old.length === 0)
      return chooseNothing("only the newest results, or ones too small to clear, are left");
    return { choice: "clear", parts: old, reason: `results have ${all} tokens, over ${target}` };
  },
};
