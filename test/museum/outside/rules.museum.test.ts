import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openAgent } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder, withoutNotes } from "./subject.ts";

interface RulesAboutReading {
  readonly deny: readonly string[];
  readonly secretFile: string;
  readonly openFile: string;
  readonly marker: string;
  readonly line: string;
  readonly calls: readonly (readonly [string, unknown])[];
  readonly pushes: readonly string[];
}

const given = readJsonFixture<RulesAboutReading>("51-rules-about-reading.json");

/** What each call of an agent has given back, in the order of the calls. */
async function resultsOf(calls: readonly (readonly [string, unknown])[], mode: "default" | "bypass") {
  const [home, cwd] = [await temporaryFolder(), await temporaryFolder()];
  for (const file of [given.secretFile, given.openFile]) {
    await mkdir(dirname(join(cwd, file)), { recursive: true });
    await writeFile(join(cwd, file), `${given.line}${given.marker} in ${file}\n`);
  }
  await symlink(join(cwd, given.secretFile), join(cwd, "src/link.txt"));
  let next = 0;
  const emulator = await createEmulator({
    script: () => {
      const call = calls[next];
      next += 1;
      return call ? callTool(...call) : say("Done.");
    },
  });
  onTestFinished(() => emulator.close());
  const agent = await openAgent({
    home,
    cwd,
    mode,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    permissions: { deny: given.deny },
    settings: { ...withoutNotes },
  });
  onTestFinished(() => agent.close());
  const results: string[] = [];
  for await (const event of agent.run("Go on."))
    if (event.type === "tool-end") results.push(JSON.stringify(event.content));
  return results;
}

it("51: `Read(secret/**)` holds for Read, Grep, Glob, commands and links", async () => {
  const results = await resultsOf(given.calls, "default");
  expect(results).toHaveLength(given.calls.length);
  expect(results.join("\n")).toContain(given.openFile);
  expect(results.filter((text) => text.includes(`${given.marker} in ${given.secretFile}`))).toEqual([]);
});

it("51: a rule that denies a command holds for every form of it", async () => {
  const results = await resultsOf(
    given.pushes.map((command) => ["Bash", { command }] as const),
    "bypass",
  );
  expect(results).toHaveLength(given.pushes.length);
  expect(results.filter((text) => !text.includes("The rule Bash(git push:*) denies"))).toEqual([]);
});
