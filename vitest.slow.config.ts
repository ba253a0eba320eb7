import { defineConfig } from "vitest/config";

const minutes = Number(process.env.PALIMPSEST_SLOW_MINUTES ?? 20);

/** Suites run one after the other, each within its share of the time. */
export default defineConfig({
  test: {
    include: ["test/slow/**/*.slow.ts"],
    setupFiles: ["test/support/use-seed.ts"],
    fileParallelism: false,
    testTimeout: (minutes + 10) * 60_000,
    reporters: ["verbose"],
  },
});
