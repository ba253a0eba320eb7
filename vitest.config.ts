import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sourceAliases } from "./scripts/bundle/package-aliases.mjs";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** It looks at what its process has loaded. */
const lookingAtProcess = "packages/core/src/session/flags/lazy-loading.test.ts";

/** Folders of tests have packages of their own, with tests of theirs. */
const notOurs = ["**/node_modules/**"];

/** Folders whose files leave their process as they found it. */
const inProcess =
  "{commands,compaction,emulator,engine,gateway,hostile,inspector,layers,log,loop,memory,models,museum,replay,scenarios,tools}";
const together = ["packages/*/src/**/*.test.ts", `test/${inProcess}/**/*.test.ts`];

/** Of those, files that start many processes: the larger the process that starts them, the longer it takes. */
const starting = [
  "packages/core/src/{git,session/hooks,session/trust}/**/*.test.ts",
  "packages/core/src/runtime*.test.ts",
  "packages/palimpsest/src/tools/{permissions,shell}/**/*.test.ts",
  "packages/palimpsest/src/loop/{create-judge,agent/git-state}.test.ts",
  "test/{cli,mcp,mcp-server,tui}/**/*.test.ts",
  "test/hostile/git/**/*.test.ts",
  "test/log/{fencing,kill,processes}.test.ts",
  "test/loop/{agent-hooks,agent-mcp,agent-memory-trust,agent-work,agents-project}.test.ts",
  "test/museum/outside/{git,rules-of-a-page}.museum.test.ts",
];

/** Tests on the Postgres server that this run starts for them. */
const onPostgres = ["test/postgres/**/*.test.ts", "packages/core/src/stores/postgres/**/*.test.ts"];

/** A limit is for what hangs, on a machine with other work too: it asserts nothing. */
const limitMs = 300_000;

const common = {
  setupFiles: ["test/support/use-seed.ts"],
  testTimeout: limitMs,
  hookTimeout: limitMs,
};

/** An optional peer, where the tests of the adapters have it; and the packages by their names, as their users import them. */
const alias = [
  { find: /^langchain$/, replacement: at("test/adapters/node_modules/langchain") },
  ...sourceAliases(),
];

export default defineConfig({
  test: {
    globalSetup: ["test/support/print-seed.ts"],
    // One more than there are cores: a seventh of the time a worker waits for a process, a server or a signal.
    maxWorkers: availableParallelism() + 1,
    reporters: process.env.CI ? ["default"] : ["dot"],
    projects: [
      {
        resolve: { alias },
        test: {
          ...common,
          name: "together",
          include: together,
          exclude: [...notOurs, lookingAtProcess, ...starting, ...onPostgres],
          // The files of a worker share what they import: loading it again for each was a fifth of the time.
          isolate: false,
          // What a test makes is mostly short-lived; with the usual 16 MB a fifth of the time was collecting it.
          execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=128"],
        },
      },
      {
        resolve: { alias },
        test: {
          ...common,
          name: "starting",
          include: starting,
          exclude: notOurs,
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          ...common,
          name: "alone",
          include: [lookingAtProcess, "test/**/*.test.ts"],
          exclude: [...notOurs, ...together.slice(1), ...starting, ...onPostgres],
        },
      },
      {
        resolve: { alias },
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
