import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCliProcess } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What node loads for a command: modules of both kinds, built-in ones left out. */
async function createTrace() {
  const folder = await temporaryFolder();
  const [trace, loaded] = [join(folder, "trace.mjs"), join(folder, "loaded")];
  const hook = `import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  if (url.startsWith("file:")) appendFileSync(${JSON.stringify(loaded)}, url + "\\n");
  return next(url, context);
}`;
  await mkdir(folder, { recursive: true });
  await writeFile(
    trace,
    `import { appendFileSync } from "node:fs";
import Module, { register } from "node:module";
register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});
process.on("exit", () => appendFileSync(${JSON.stringify(loaded)}, Object.keys(Module._cache).join("\\n")));`,
  );
  return async (args: readonly string[]): Promise<readonly string[]> => {
    await rm(loaded, { force: true });
    const { code } = await runCliProcess(args, { home: folder, nodeOptions: ["--import", trace] });
    expect(code).toBe(0);
    const lines = (await readFile(loaded, "utf8")).split("\n");
    return [...new Set(lines.filter((line) => line !== "").map(shorten))].sort();
  };
}

/** A package by its name, a file of ours by its place in the build. */
function shorten(path: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return name === undefined ? path.replace(/.*\/dist\//, "") : `package ${name}`;
}

/** What starting takes: the program, its words, what says where things are kept, and commander. */
const small =
  /^package commander$|^(?:cli|spec|internal-start|(?:terminal|spec|data-root|version)-[\w-]+)\.js$/;

/** The trace is of this test. */
const others = (loaded: readonly string[]) =>
  loaded.filter((path) => !small.test(path) && !path.endsWith("/trace.mjs"));

describe("starting the program", () => {
  it.each([["--version"], ["--help"], ["help"], []])(
    "loads no command and no heavy package for %s",
    async (...args) => {
      const loaded = await (await createTrace())(args);
      expect(loaded).toEqual(expect.arrayContaining(["package commander", "cli.js", "internal-start.js"]));
      expect(others(loaded)).toEqual([]);
    },
  );

  it("loads the table of its options, and nothing that runs, for the help of run", async () => {
    const loaded = await (await createTrace())(["run", "--help"]);
    expect(others(loaded)).toEqual([expect.stringMatching(/^run-[\w-]+\.js$/)]);
  });

  it("sees what is loaded: a command that works brings its parts", async () => {
    const loaded = await (await createTrace())(["sessions", "list"]);
    expect(others(loaded)).toEqual(
      expect.arrayContaining(["internal.js", expect.stringMatching(/^commands-[\w-]+\.js$/)]),
    );
  });
});
