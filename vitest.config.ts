import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/print-seed.ts"],
    setupFiles: ["test/support/use-seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Left to itself it keeps one of two cores for nobody.
    maxWorkers: "100%",
    reporters: process.env.CI ? ["default"] : ["dot"],
  },
});
