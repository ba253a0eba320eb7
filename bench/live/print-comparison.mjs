/** The comparison for a person. */
export function printComparison({ model, machine, budget, commonSteps, variants }) {
  console.log(`live on ${machine}`);
  console.log(
    `${model}, at most $${budget} in all; compared over the ${commonSteps} steps that every variant finished`,
  );
  for (const one of variants) {
    const share = one.cacheReadShare === null ? "–" : `${(100 * one.cacheReadShare).toFixed(1)} %`;
    const ratio =
      one.dollarsOfLast === null ? "" : ` (× ${one.dollarsOfLast.toFixed(2)} of ${variants.at(-1).variant})`;
    console.log(`${one.variant}: ${one.finishedSteps} steps finished; ended: ${one.ends.join(", ")}`);
    console.log(`  dollars ${one.dollars.toFixed(4)}${ratio}, of which forks ${one.forkDollars.toFixed(4)}`);
    console.log(`  prompt read from the cache ${share}, peak context ${one.peakTokens} tokens`);
    console.log(
      `  requests ${one.requests}, compactions ${one.compactions}, invalid requests ${one.invalid}`,
    );
    const checks = Object.entries(one.checks).map(([kind, { asked, right }]) => `${kind} ${right}/${asked}`);
    console.log(`  right: ${checks.join(", ")}`);
  }
  console.log("One model, one task, few sessions: an example, not a proof. Prices are the catalog's.");
}
