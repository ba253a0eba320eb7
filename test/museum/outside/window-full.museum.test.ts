import { type ContentBlock, type Entry, openSession, type Session } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { answer as answerWith, createEmulator, type Emulator, say } from "palimpsest/testing";
import { expect, it, onTestFinished } from "vitest";
import { readJsonFixture } from "../read-fixture.ts";
import { temporaryFolder, withoutNotes } from "./subject.ts";

interface WindowFull {
  readonly window: number;
  readonly maxOutput: number;
  /** Turns with long answers, before the report is asked for. */
  readonly turns: number;
  readonly answerChars: number;
  readonly answerText: string;
  readonly ask: string;
  /** What came of the report before the window was full, and all of it. */
  readonly half: string;
  readonly report: string;
}

const given = readJsonFixture<WindowFull>("73-window-full-in-an-answer.json");
const { window: contextWindow, maxOutput, ask } = given;
const catalog = { capabilities: { "claude-opus-4-5": { contextWindow, maxOutput } } };
const answer = given.answerText.repeat(given.answerChars / given.answerText.length);
const { half, report } = given;
const full = "model_context_window_exceeded";

/** A session with long answers, and a server whose window is full in the middle of the report. */
async function fillWindow(): Promise<{ readonly session: Session; readonly emulator: Emulator }> {
  let reports = 0;
  const emulator = await createEmulator({
    catalog,
    script: ({ whole }) => {
      const text = JSON.stringify(whole?.messages ?? "");
      if (text.includes("about to be compacted")) return say("<summary>\n1. Answers were given.\n</summary>");
      if (!text.includes(ask)) return say(answer);
      reports += 1;
      return reports === 1 ? answerWith([say(half)], { stopReason: full }) : say(report);
    },
  });
  onTestFinished(() => emulator.close());
  const home = await temporaryFolder();
  const session = await openSession({
    home,
    cwd: home,
    model: anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" }),
    settings: { catalog, ...withoutNotes },
  });
  onTestFinished(() => session.close());
  for (let turn = 1; turn <= given.turns; turn += 1)
    for await (const event of session.run(`Question ${turn}?`))
      if (event.type === "run-end") expect(event.reason).toBe("done");
  return { session, emulator };
}

async function entriesOf(session: Session): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of session.entries()) entries.push(entry);
  return entries;
}

const stopsIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) =>
    entry.kind === "message" && entry.message.type === "assistant" ? [entry.message.stopReason] : [],
  );
const boundariesIn = (entries: readonly Entry[]) =>
  entries.filter(({ kind, decision }: Entry & { decision?: { readonly type: string } }) => {
    return kind === "decision" && decision?.type === "compact";
  });

it("73: an answer that fills the window is asked for once more, behind a compaction", async () => {
  const { session, emulator } = await fillWindow();
  const ends: unknown[] = [];
  for await (const event of session.run(ask))
    if (event.type === "run-end") ends.push([event.reason, event.text === report]);
  expect(ends).toEqual([["done", true]]);
  const entries = await entriesOf(session);
  expect(stopsIn(entries).slice(-2)).toEqual([full, "end_turn"]);
  expect(JSON.stringify(entries)).toContain(half);
  expect(boundariesIn(entries)).toHaveLength(1);
  expect([...emulator.requests].filter(({ outcome }) => outcome === "refused")).toEqual([]);
});

it("73: a program's own loop that adds such an answer gets a request with room for a whole one", async () => {
  const { session, emulator } = await fillWindow();
  const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" });
  await session.add({ role: "user", content: ask });
  const stops: (string | null)[] = [];
  let content: readonly ContentBlock[] = [];
  for (let tries = 1; tries <= 2; tries += 1) {
    const { request } = await session.prepare();
    expect(request.messages.at(-1)?.role).toBe("user");
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (!event.ok) throw event.error;
      if (event.value.type !== "response-end") continue;
      const { id, model: name, usage, stopReason } = event.value;
      ({ content } = event.value);
      stops.push(stopReason);
      await session.add({ role: "assistant", id, model: name, content, usage, stopReason });
    }
  }
  expect(stops).toEqual([full, "end_turn"]);
  expect(content).toMatchObject([{ type: "text", text: report }]);
  expect(boundariesIn(await entriesOf(session))).toHaveLength(1);
});
