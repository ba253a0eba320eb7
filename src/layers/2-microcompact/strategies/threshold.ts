import { freedBy, nothing, resultsIn, type Strategy, sumTokens } from "../strategy.ts";

/** Results that exceed a count of tokens are cleared, oldest first, until at most so many are left. */
export const clearOverThreshold: Strategy = ({ parts, numbers, byHand }) => {
  const { thresholdKeep, thresholdMinSavedTokens } = numbers;
  const target = byHand?.targetTokens ?? numbers.thresholdTokens;
  const results = resultsIn(parts);
  const all = sumTokens(results);
  if (all <= target) return nothing(`results have ${all} tokens, not over ${target}`);
  const open = thresholdKeep === 0 ? results : results.slice(0, -thresholdKeep);
  let left = all;
  const old = open.filter(({ tokens }) => {
    if (left <= target) return false;
    left -= tokens;
    return true;
  });
  const saved = freedBy(old);
  if (!byHand && saved < thresholdMinSavedTokens)
    return nothing(`clearing would save ${saved} tokens, under ${thresholdMinSavedTokens}`);
  if (old.length === 0) return nothing("only the newest results are left");
  return { choice: "clear", parts: old, reason: `results have ${all} tokens, over ${target}` };
};
