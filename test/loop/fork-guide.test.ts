import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { forkTurns } from "../../packages/palimpsest/src/loop/run-fork.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = await readFile(`${root}/docs/guides/forks.md`, "utf8");

it("the guide's example runs and prints what it says", async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const said = /\/\/ (done .*)$/m.exec(example)?.[1];
  // Inside the package, where its own name can be imported.
  const file = `${root}/packages/palimpsest/build/fork-guide-example.mjs`;
  await writeFile(file, example);
  try {
    const environment = { PATH: process.env.PATH, PALIMPSEST_HOME: await temporaryFolder() };
    const { stdout } = await run(process.execPath, [file], { env: environment });
    expect(stdout.trim()).toBe(said);
  } finally {
    await rm(file);
  }
});

it("the guide's table of kinds has the turns that the code has", () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, kind, turns]) => [
    kind,
    Number(turns),
  ]);
  expect(rows).toEqual(Object.entries(forkTurns));
});
