import { type Event, openSession, type Tool } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder, withoutNotes } from "./subject.ts";

interface ClearingByTheServer {
  readonly window: number;
  readonly maxOutput: number;
  readonly rounds: number;
  readonly resultChars: number;
  readonly resultText: string;
}

const given = readJsonFixture<ClearingByTheServer>("65-clearing-by-the-server.json");
const { window: contextWindow, maxOutput, rounds, resultChars, resultText } = given;
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow, maxOutput } } };

const read: Tool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { file_path: { type: "string" } } },
  isReadOnly: true,
  run: async () => ({ content: resultText.repeat(resultChars / resultText.length) }),
};

it("65: clearing that the server says it has applied is an announced break of the cache, each time", async () => {
  let calls = 0;
  const emulator = await createEmulator({
    catalog,
    script: () => {
      calls += 1;
      return calls <= rounds ? callTool("Read", { file_path: `${calls}.ts` }) : say("Done.");
    },
  });
  onTestFinished(() => emulator.close());
  const home = await temporaryFolder();
  const events: Event[] = [];
  const session = await openSession({
    home,
    cwd: home,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    system: "You are careful. ".repeat(400),
    tools: [read],
    settings: { catalog, ...withoutNotes, flags: { "clear-server": true } },
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => session.close());
  for await (const event of session.run("Read everything."))
    if (event.type === "run-end") expect(event.reason).toBe("done");
  const applied = [...emulator.requests].filter(({ appliedEdits = [] }) => appliedEdits.length > 0);
  const breaks = events.filter((event) => event.type === "cache-break");
  const told = breaks.filter(({ why }) => why.includes("the API cleared"));
  expect(applied.length).toBeGreaterThan(1);
  expect(breaks.filter(({ expected }) => !expected)).toEqual([]);
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(applied.length);
});
