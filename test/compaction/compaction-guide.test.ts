import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const page = (path: string) => readFile(`${root}/docs/${path}`, "utf8");
const guide = await page("guides/compaction.md");

it("the guide's example runs and prints what it says", async () => {
  const example = /```ts\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const said = /\/\/ (prefix .*)$/m.exec(example)?.[1];
  // Inside the package, where its own name can be imported.
  const file = `${root}/packages/palimpsest/build/compaction-guide-example.mjs`;
  await writeFile(file, example);
  try {
    const environment = { PATH: process.env.PATH, PALIMPSEST_HOME: await temporaryFolder() };
    const { stdout } = await run(process.execPath, [file], { env: environment });
    expect(stdout.trim()).toBe(said);
  } finally {
    await rm(file);
  }
});

it.each(["guides/compaction.md", "layers/3-session-notes.md", "layers/4-compaction.md"])(
  "%s names settings, flags and events that there are",
  async (path) => {
    const rows = `${await page("guides/settings.md")}\n${await page("events.md")}`;
    const names = [
      ...(await page(path)).matchAll(/`((?:compaction|folding|sessionNotes)\.\w+|[a-z]+(?:-[a-z]+)+)[`:]/g),
    ];
    const words = new Set(["on-demand", "no-notes", "not-covered", "no-room", "too-large"]);
    const named = names.map(([, name = ""]) => name).filter((name) => !words.has(name));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !rows.includes(`\n| \`${name}\` |`))).toEqual([]);
  },
);
