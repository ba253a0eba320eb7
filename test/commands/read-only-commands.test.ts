import { expect, it } from "vitest";
import { isReadOnlyCommand } from "../../packages/palimpsest/src/tools/shell/index.ts";
import { createSeededRandom } from "../../packages/testing/src/index.ts";
import { seed } from "../support/seed.ts";
import { createCommandSandbox } from "./command-sandbox.ts";
import { readCorpus } from "./read-corpus.ts";
import { varyCommand } from "./vary-command.ts";

const readOnly = readCorpus("read-only");

it("the read-only commands of the corpus, and variations that are too, leave every file as it was and say no secret", async () => {
  const random = createSeededRandom(seed);
  const varied = Array.from({ length: 300 }, () => varyCommand(readOnly, random));
  const sandbox = await createCommandSandbox();
  expect(await sandbox.findHarm([...readOnly, ...varied.filter(isReadOnlyCommand)])).toEqual([]);
});

it.each([
  "touch canary",
  "tree -LNifo 1 canary",
  "echo x >~/canary",
  "rm a",
  "env",
  "ps axeww",
  "cat /proc/self/environ",
])("the sandbox finds the harm of: %s", async (command) => {
  const sandbox = await createCommandSandbox();
  expect(await sandbox.findHarm(["ls", command])).toEqual([command]);
});
