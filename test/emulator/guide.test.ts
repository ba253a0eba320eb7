import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

it("the guide's example runs and prints what it says", async () => {
  const guide = await readFile(`${root}/docs/guides/emulator.md`, "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const said = /\/\/ (tool_use .*)$/m.exec(example)?.[1];
  // Inside the package, where its own name and the SDK's can be imported.
  const file = `${root}/packages/palimpsest/build/guide-example.mjs`;
  await writeFile(file, example);
  try {
    const { stdout } = await run(process.execPath, [file]);
    expect(stdout.trim()).toBe(said);
  } finally {
    await rm(file);
  }
});
