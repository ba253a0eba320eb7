import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { runCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const guide = await readFile(join(root, "docs/guides/memory.md"), "utf8");
const chapter = (heading: string) => guide.slice(guide.indexOf(`\n## ${heading}`)).split(/\n## /)[1] ?? "";
const firstCells = (text: string) =>
  [...text.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([\w ]+)/g)].map(([, name]) => name),
  );

describe("the guide to memory", () => {
  /** The example of a chapter, run in an empty folder beside the package. */
  async function runExample(heading: string, edit = (code: string) => code): Promise<string> {
    const folder = await temporaryFolder();
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(chapter(heading)) ?? [];
    await mkdir(join(folder, "node_modules"));
    await symlink(join(root, "packages/palimpsest"), join(folder, "node_modules/palimpsest"));
    await writeFile(join(folder, "example.mjs"), edit(code));
    const env = { PATH: process.env.PATH, PALIMPSEST_HOME: join(folder, "home") };
    const { stdout } = await promisify(execFile)(process.execPath, ["example.mjs"], { cwd: folder, env });
    return stdout;
  }

  it("has an example that runs", async () => {
    expect(await runExample("In a program")).toBe("deploys.md true\n");
  });

  it("has an example of a search that runs, here by words alone", async () => {
    const byWords = (code: string) => code.replace(", embeddings: createLocalEmbeddings()", "");
    expect(await runExample("Recall", byWords)).toBe("[]\n");
  });

  it("has a memory as an example that is one", async () => {
    const memory = await openMemory({ dir: await temporaryFolder(), durable: false });
    const [, text = ""] = /```markdown\n([\s\S]*?)```/.exec(guide) ?? [];
    expect((await memory.write("deploys.md", text)).memory).toMatchObject({
      name: "Deploys",
      type: "project",
    });
    expect((await memory.read("deploys.md")).text).toBe(text);
  });

  it("names every command and every method", async () => {
    const { stdout } = await runCli(["memory", "--help"]);
    const commands = [...stdout.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name]) => `memory ${name}`);
    expect(firstCells(chapter("On the command line")).sort()).toEqual(commands.sort());
    const memory = await openMemory({ dir: await temporaryFolder() });
    const [methods = ""] = chapter("In a program").split("| option | |");
    expect(firstCells(methods).sort()).toEqual(Object.keys(memory).sort());
  });
});
