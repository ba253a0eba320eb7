import { defineConfig } from "vitest/config";
import { sourceAliases } from "./scripts/bundle/package-aliases.mjs";

const minutes = Number(process.env.PALIMPSEST_SLOW_MINUTES ?? 20);

/** A limit is for what hangs, on a machine with other work too: it asserts nothing. */
const limitMs = (minutes + 10) * 60_000;

/** Tests of which `npm test` tries a part (`test/support/amount.ts`). */
export const wholeHere = [
  "test/{engine-invariants,file-races}.test.ts",
  "test/compaction/fifty.test.ts",
  "test/engine/{fork-isolation,model-names,results-that-just-fit,seen,undo-everything}.test.ts",
  "test/hostile/{forged-sections,hostile-answers}.test.ts",
  "test/hostile/git/hostile-git.test.ts",
  "test/layers/compaction-properties.test.ts",
  "test/log/{crash,kill}.test.ts",
  "test/packages/packages.test.ts",
  "test/scenarios/cache-edits.test.ts",
  "packages/core/src/layers/1-tool-results/any-rounds.test.ts",
  "packages/core/src/session/dream/dream-killed.test.ts",
  "packages/core/src/stores/files/upkeep/redact-session.test.ts",
  "packages/core/src/view/projection/projection.test.ts",
  "packages/core/src/view/request/{repair,replaced-blocks,validate}.test.ts",
];

/** Two suites at a time, since many keep only one core busy; each within its share of the time. */
export default defineConfig({
  resolve: { alias: sourceAliases() },
  test: {
    include: ["test/slow/**/*.slow.ts", ...wholeHere],
    setupFiles: ["test/support/use-seed.ts"],
    maxWorkers: 2,
    testTimeout: limitMs,
    hookTimeout: limitMs,
    // What was built runs as it is.
    server: { deps: { external: [/\/(?:build|dist)\//, /\/scripts\/reliability\//] } },
    reporters: ["verbose"],
  },
});
