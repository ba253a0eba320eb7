import { defineConfig } from "vitest/config";
import { sourceAliases } from "./scripts/bundle/package-aliases.mjs";

const minutes = Number(process.env.PALIMPSEST_SLOW_MINUTES ?? 20);

/** A limit is for what hangs, on a machine with other work too: it asserts nothing. */
const limitMs = (minutes + 10) * 60_000;

/** Two suites at a time, since many keep only one core busy; each within its share of the time. */
export default defineConfig({
  resolve: { alias: sourceAliases() },
  test: {
    include: ["test/slow/**/*.slow.ts"],
    setupFiles: ["test/support/use-seed.ts"],
    maxWorkers: 2,
    testTimeout: limitMs,
    hookTimeout: limitMs,
    // What was built runs as it is.
    server: { deps: { external: [/\/(?:build|dist)\//, /\/scripts\/reliability\//] } },
    reporters: ["verbose"],
  },
});
