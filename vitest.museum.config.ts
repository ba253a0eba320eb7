import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { packageAliases, packageIn, sourceAliases } from "./scripts/bundle/package-aliases.mjs";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Set by `npm run check-museum -- --against TARBALL`: where the package is installed. */
const subject = process.env.PALIMPSEST_MUSEUM_SUBJECT;
if (subject === undefined) throw new Error("Run it with: npm run check-museum -- --against TARBALL");

/** A limit is for what hangs, on a machine with other work too: it asserts nothing. */
const limitMs = 300_000;

export default defineConfig({
  resolve: {
    alias: [
      // The instrument that measures (emulator, virtual clock) is not under test: it is always that of this tree.
      { find: /^palimpsest\/testing$/, replacement: at("packages/testing/src/index.ts") },
      ...sourceAliases(["core", "testing"]),
      ...packageAliases(packageIn(subject), (file: string) => join(subject, file)),
      // A subpath that the package does not have is not found, rather than found here.
      { find: /^palimpsest(?=\/|$)/, replacement: subject },
      { find: /^langchain$/, replacement: at("test/adapters/node_modules/langchain") },
    ],
  },
  test: {
    include: ["test/museum/outside/**/*.museum.test.ts"],
    setupFiles: ["test/support/use-seed.ts", "test/museum/outside/report-causes.ts"],
    testTimeout: limitMs,
    hookTimeout: limitMs,
  },
});
