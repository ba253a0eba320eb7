import { expect, it } from "vitest";
import { isReadOnlyCommand } from "../../packages/palimpsest/src/tools/shell/index.ts";
import { createSeededRandom } from "../../packages/testing/src/index.ts";
import { createCommandSandbox } from "../commands/command-sandbox.ts";
import { readCorpus } from "../commands/read-corpus.ts";
import { varyCommand } from "../commands/vary-command.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

const batch = 500;

it("no variation of the corpus that is judged read-only leaves or changes a file or says a secret", async () => {
  const corpus = [...readCorpus("read-only"), ...readCorpus("read-only"), ...readCorpus("may-change")];
  const random = createSeededRandom(seed);
  const sandbox = await createCommandSandbox();
  const harmful: string[] = [];
  let run = 0;
  const name = "variations of command lines";
  await reach({ name, minimum: 20_000, plenty: 40_000, share: 0.2 }, async () => {
    const lines = Array.from({ length: batch }, () => varyCommand(corpus, random));
    const readOnly = lines.filter((line) => isReadOnlyCommand(line));
    run += readOnly.length;
    harmful.push(...(await sandbox.findHarm(readOnly)));
    return batch;
  });
  console.log(`${name}: ${run.toLocaleString("en")} were read-only and were run, ${harmful.length} did harm`);
  expect(harmful).toEqual([]);
  expect(run).toBeGreaterThan(2_000);
});
