import { openSession, type Tool } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder, withoutNotes } from "./subject.ts";

interface OverflowToCome {
  readonly window: number;
  readonly maxOutput: number;
  readonly rounds: number;
  readonly resultChars: number;
  readonly resultText: string;
  readonly ask: string;
}

const given = readJsonFixture<OverflowToCome>("63-overflow-to-come.json");
const { window: contextWindow, maxOutput, rounds, resultChars, resultText, ask } = given;
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow, maxOutput } } };

const read: Tool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { file_path: { type: "string" } } },
  isReadOnly: true,
  run: async () => ({ content: resultText.repeat(resultChars / resultText.length) }),
};

it("63: with `reactive-only` requests are sent until the provider refuses one, and that one is compacted and sent again", async () => {
  let calls = 0;
  const emulator = await createEmulator({
    catalog,
    script: ({ whole }) => {
      const isSummary = JSON.stringify(whole?.messages ?? "").includes("about to be compacted");
      if (isSummary) return say("<summary>\n1. Files were read.\n</summary>");
      calls += 1;
      return calls <= rounds ? callTool("Read", { file_path: `${calls}.log` }) : say("Done.");
    },
  });
  onTestFinished(() => emulator.close());
  const home = await temporaryFolder();
  const session = await openSession({
    home,
    cwd: home,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    tools: [read],
    settings: {
      catalog,
      ...withoutNotes,
      microcompactEnabled: false,
      flags: { "reactive-only": true },
    },
  });
  onTestFinished(() => session.close());
  const ends: unknown[] = [];
  for await (const event of session.run(ask))
    if (event.type === "run-end") ends.push([event.reason, event.text]);
  expect(ends).toEqual([["done", "Done."]]);
  const triggers: string[] = [];
  for await (const entry of session.entries())
    if (entry.kind === "decision" && entry.decision.type === "compact") triggers.push(entry.decision.trigger);
  const refused = [...emulator.requests].filter(({ status }) => status === 400);
  expect(triggers.length).toBeGreaterThan(0);
  expect(new Set(triggers)).toEqual(new Set(["reactive"]));
  expect(refused.length).toBeGreaterThanOrEqual(triggers.length);
  expect(JSON.stringify(refused.map(({ error }) => error))).toMatch(/prompt is too long/);
});
