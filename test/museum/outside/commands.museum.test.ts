import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openAgent } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder, withoutNotes } from "./subject.ts";

interface ReadOnlyCommands {
  readonly file: string;
  readonly tree: readonly string[];
  readonly environment: readonly string[];
}

const given = readJsonFixture<ReadOnlyCommands>("50-read-only-commands.json");

/** Letters that have a value take the words behind theirs, one each: so does tree. */
const tree = `#!/bin/sh
for last; do :; done
echo listed > "$last"
`;

interface Planned {
  /** What the model was told of its commands. */
  readonly results: readonly { readonly is_error?: boolean; readonly content?: unknown }[];
  readonly files: readonly string[];
}

/** Has a model that plans run commands, with a `tree` that writes, and gives what came of it. */
async function plan(commands: readonly string[]): Promise<Planned> {
  const folder = await temporaryFolder();
  const [home, cwd, bin] = [join(folder, "home"), join(folder, "work"), join(folder, "bin")];
  for (const one of [home, cwd, bin]) await mkdir(one);
  await writeFile(join(bin, "tree"), tree);
  await chmod(join(bin, "tree"), 0o755);
  const { PATH } = process.env;
  process.env.PATH = `${bin}:${PATH}`;
  onTestFinished(() => {
    process.env.PATH = PATH;
  });
  const emulator = await createEmulator({
    script: ({ ordinal }) => {
      const command = commands[ordinal - 1];
      return command === undefined ? say("Planned.") : callTool("Bash", { command });
    },
  });
  onTestFinished(() => emulator.close());
  const session = await openAgent({
    home,
    cwd,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    isRuleless: true,
    isLongLived: false,
    mode: "plan",
    settings: { ...withoutNotes },
  });
  onTestFinished(() => session.close());
  for await (const _ of session.run("Make a plan."));
  const [last] = [...emulator.requests].slice(-1);
  const messages = (last?.whole?.messages ?? []) as readonly { readonly content: unknown }[];
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return { results: blocks.filter(({ type }) => type === "tool_result"), files: await readdir(cwd) };
}

it("50: while a plan is made, no row of letters lets `tree` write a file", async () => {
  const { results, files } = await plan(given.tree);
  expect(results.map(({ is_error }) => is_error)).toEqual(given.tree.map(() => true));
  expect(files).toEqual([]);
});

it("50: nothing that prints the environment, or runs what a pipe brings, is taken for reading", async () => {
  const { results } = await plan(given.environment);
  expect(results.map(({ content }) => /plan mode/i.test(JSON.stringify(content)))).toEqual(
    given.environment.map(() => true),
  );
});
