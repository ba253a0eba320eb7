import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { packageAliases, sourceOf } from "./scripts/museum/package-aliases.mjs";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** It looks at what its process has loaded. */
const lookingAtProcess = "src/engine/flags/lazy-loading.test.ts";

/** Folders of tests have packages of their own, with tests of theirs. */
const notOurs = ["**/node_modules/**"];

/** Files that leave their process as they found it. */
const together = ["src/**/*.test.ts", "test/cli/**/*.test.ts", "test/tui/**/*.test.ts"];

/** Tests on the Postgres server that this run starts for them. */
const onPostgres = ["test/postgres/**/*.test.ts", "src/stores/postgres/**/*.test.ts"];

/** A limit is for what hangs, on a machine with other work too: it asserts nothing. */
const limitMs = 300_000;

const common = {
  setupFiles: ["test/support/use-seed.ts"],
  testTimeout: limitMs,
  hookTimeout: limitMs,
};

/** An optional peer, where the tests of the adapters have it; and this package by its name, as its users import it. */
const alias = [
  { find: /^langchain$/, replacement: at("test/adapters/node_modules/langchain") },
  ...packageAliases(JSON.parse(readFileSync(at("package.json"), "utf8")), (file: string) =>
    at(sourceOf(file)),
  ),
];

export default defineConfig({
  test: {
    globalSetup: ["test/support/print-seed.ts"],
    // Left to itself it keeps one of two cores for nobody.
    maxWorkers: "100%",
    reporters: process.env.CI ? ["default"] : ["dot"],
    projects: [
      {
        test: {
          ...common,
          name: "together",
          include: together,
          exclude: [...notOurs, lookingAtProcess, ...onPostgres],
          // The files of a worker share what they import: loading it again for each was a fifth of the time.
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...common,
          name: "alone",
          include: [lookingAtProcess, "test/**/*.test.ts"],
          exclude: [...notOurs, ...onPostgres, ...together.filter((path) => !path.startsWith("src/"))],
        },
      },
      {
        test: {
          ...common,
          name: "postgres",
          include: onPostgres,
          exclude: notOurs,
          globalSetup: ["test/support/postgres/start-server.ts"],
        },
      },
    ],
  },
});
