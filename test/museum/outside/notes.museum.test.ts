import { type Event, openSession, type Tool } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, type RecordedRequest, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder } from "./subject.ts";

interface ClearingDuringAnUpdate {
  readonly window: number;
  readonly maxOutput: number;
  /** Rounds that are read before the clearing, and behind it. */
  readonly roundsBefore: number;
  readonly roundsBehind: number;
  /** A long message of the user, behind which an update is due. */
  readonly pastedChars: number;
  readonly resultChars: number;
  readonly resultText: string;
  readonly notes: string;
}

const given = readJsonFixture<ClearingDuringAnUpdate>("64-clearing-during-an-update.json");
const { window: contextWindow, maxOutput, resultText } = given;
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow, maxOutput } } };
const filled = (chars: number) => resultText.repeat(chars / resultText.length);

const read: Tool = {
  name: "Read",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { file_path: { type: "string" } } },
  isReadOnly: true,
  run: async () => ({ content: filled(given.resultChars) }),
};

const isUpdate = ({ whole }: RecordedRequest) =>
  JSON.stringify(whole?.messages ?? "").includes("bring the notes about this session up to date");

it("64: notes go on though a clearing lands during an update: what is cleared meanwhile is subtracted", async () => {
  let rounds = 0;
  let updates = 0;
  let release: () => void = () => undefined;
  let held: Promise<void> = Promise.resolve();
  const emulator = await createEmulator({
    catalog,
    script: async (request) => {
      if (isUpdate(request)) {
        updates += 1;
        await held;
        return say(given.notes);
      }
      rounds -= 1;
      return rounds >= 0 ? callTool("Read", { file_path: `${rounds}.ts` }) : say("Read.");
    },
  });
  onTestFinished(() => emulator.close());
  const home = await temporaryFolder();
  const events: Event[] = [];
  let tell: () => void = () => undefined;
  const session = await openSession({
    home,
    cwd: home,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    tools: [read],
    settings: {
      catalog,
      sessionNotes: { budgetPercent: 100 },
      flags: { "memory-extraction": false, dream: false },
    },
    onEvent: (event) => {
      events.push(event);
      tell();
    },
  });
  onTestFinished(() => session.close());
  /** No update goes on any more, and what the last one brought is in the log. */
  const settled = async () => {
    const count = (type: string) =>
      events.filter((event) => event.type === type && "layer" in event && event.layer === "session-notes")
        .length;
    while (count("task-start") > count("task-end"))
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
  };
  const run = async (prompt: string, reads: number) => {
    rounds = reads;
    for await (const event of session.run(prompt))
      if (event.type === "run-end") expect(event.reason).toBe("done");
  };

  await run("Read the first files.", given.roundsBefore);
  await settled();
  held = new Promise((resolve) => {
    release = resolve;
  });
  const former = updates;
  await run(filled(given.pastedChars), 0);
  const before = session.usage().count.tokens;
  await session.clear({ targetTokens: 0 });
  const freed = before - session.usage().count.tokens;
  release();
  await settled();
  expect(updates).toBe(former + 1);
  await run("Read the others.", given.roundsBehind);
  await settled();
  expect(session.usage().count.tokens).toBeLessThan(before);
  expect(freed).toBeGreaterThan(before / 3);
  expect(updates).toBeGreaterThan(former + 1);
});
