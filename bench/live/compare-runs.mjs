const summed = [
  "dollars",
  "forkDollars",
  "inputTokens",
  "cacheReadTokens",
  "cacheCreationTokens",
  "outputTokens",
];
const counted = ["requests", "compactions", "invalid"];

/**
 * Runs of the same sessions side by side. What a variant took is counted up to the last step that every variant has
 * finished in that session: a run that stopped early is not cheap. `sessions` is a list of lists of runs.
 */
export function compareRuns(sessions) {
  const names = [...new Set(sessions.flatMap((runs) => runs.map(({ variant }) => variant)))];
  const common = sessions.map((runs) => Math.min(...runs.map(({ finished }) => finished.length)));
  const variants = names.map((variant) => {
    const runs = sessions.map((all) => all.find((run) => run.variant === variant));
    return summarize(variant, runs, common);
  });
  const base = variants.at(-1);
  return {
    commonSteps: sum(common),
    variants: variants.map((one) => ({
      ...one,
      dollarsOfLast: base.dollars > 0 ? one.dollars / base.dollars : null,
    })),
  };
}

function summarize(variant, runs, common) {
  const totals = runs.flatMap(({ finished }, at) => finished.slice(0, common[at]).at(-1)?.total ?? []);
  const steps = runs.flatMap(({ finished }, at) => finished.slice(0, common[at]));
  const all = Object.fromEntries(
    [...summed, ...counted].map((name) => [name, sum(totals.map((one) => one[name]))]),
  );
  const prompt = all.inputTokens + all.cacheReadTokens + all.cacheCreationTokens;
  return {
    variant,
    ...all,
    cacheReadShare: prompt === 0 ? null : all.cacheReadTokens / prompt,
    peakTokens: Math.max(0, ...totals.map(({ peakTokens }) => peakTokens)),
    checks: checksOf(steps),
    finishedSteps: sum(runs.map(({ finished }) => finished.length)),
    ends: runs.map(({ end, message }) => (message ? `${end}: ${message}` : end)),
  };
}

/** By kind of step: how many there were, and how many were right. */
function checksOf(steps) {
  const kinds = [...new Set(steps.map(({ kind }) => kind))];
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = steps.filter((step) => step.kind === kind);
      return [kind, { asked: own.length, right: own.filter(({ isPassed }) => isPassed).length }];
    }),
  );
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
