import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContentBlock, type Event, type ModelResponse, openSession, type Usage } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, createVirtualClock, say } from "palimpsest/testing";
import { describe, expect, it, onTestFinished } from "vitest";

interface Conversation {
  readonly asked: string;
  /** Names that come back, in turn. */
  readonly answered: readonly string[];
  /** By how much the times of responses are off. */
  readonly hoursOff: number;
}

interface Fixture {
  readonly requests: number;
  readonly secondsApart: number;
  readonly learnedAfter: number;
  readonly conversations: readonly Conversation[];
}

const path = new URL("../fixtures/45-names-that-come-back.json", import.meta.url);
const fixture: Fixture = JSON.parse(await readFile(path, "utf8"));
const { requests, secondsApart, learnedAfter, conversations } = fixture;

/** So many requests bring a result that would be cleared if the cache were taken for cold. */
const reads = 8;
const read = {
  name: "Read",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] },
};

/** Lines that look like code, each time others and each run the same. */
function createLines(): (count: number) => readonly string[] {
  const words = ["value", "index", "result", "node", "path", "count", "entry", "length", "state", "name"];
  let state = 45;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const word = () => words[below(words.length)];
  const line = () => `const ${word()}${below(90)} = ${word()}(${word()}, ${below(900)}); // ${word()}`;
  return (count) => Array.from({ length: count }, line);
}

interface Worked {
  readonly events: readonly Event[];
  readonly usages: readonly Usage[];
  /** Tokens of each prompt, estimated before it was sent and counted by the provider, and those before it. */
  readonly prompts: readonly {
    readonly estimated: number;
    readonly counted: number;
    readonly before: number;
  }[];
}

async function work({ asked, answered, hoursOff }: Conversation): Promise<Worked> {
  const clock = createVirtualClock();
  const home = await mkdtemp(join(tmpdir(), "palimpsest-names-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const emulator = await createEmulator({
    clock,
    models: [asked],
    script: ({ ordinal }) =>
      ordinal < reads ? callTool("Read", { file_path: `/p/${ordinal}.ts` }) : say(`Step ${ordinal} is done.`),
  });
  onTestFinished(() => emulator.close());
  const model = anthropic(asked, { baseURL: emulator.url, apiKey: "any" });
  const events: Event[] = [];
  const session = await openSession({
    home,
    cwd: home,
    clock,
    model: anthropic(asked, { environment: {} }),
    system: "You are careful. ".repeat(1_200),
    tools: [read],
    onEvent: (event) => events.push(event),
  });
  const lines = createLines();
  const usages: Usage[] = [];
  const prompts: { estimated: number; counted: number; before: number }[] = [];
  let before = 0;
  await session.add({ role: "user", content: "Begin." });
  for (let request = 0; request < requests; request += 1) {
    await clock.advance(secondsApart * 1_000);
    const prepared = await session.prepare();
    let response: ModelResponse | undefined;
    for await (const event of model.stream(prepared.request, new AbortController().signal)) {
      if (!event.ok) throw event.error;
      if (event.value.type === "response-end") response = event.value;
    }
    if (!response) throw new Error("there was no response");
    const { id, content, stopReason, usage } = response;
    const counted = usage.input + usage.cacheRead + usage.cacheCreation;
    if (before > 0) prompts.push({ estimated: prepared.report.count.tokens, counted, before });
    before = counted + usage.output;
    usages.push(usage);
    const name = answered[request % answered.length];
    const at = clock.now() + hoursOff * 3_600_000;
    await session.add({ role: "assistant", id, model: name, content, stopReason, usage, at });
    await session.add({ role: "user", content: next(content, lines) });
  }
  await session.close();
  return { events, usages, prompts };
}

function next(
  content: readonly ContentBlock[],
  lines: (count: number) => readonly string[],
): readonly ContentBlock[] {
  const called = content.filter(({ type }) => type === "tool_use") as readonly { readonly id?: string }[];
  return [
    ...called.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: lines(40).join("\n") })),
    ...lines(120).map((text) => ({ type: "text", text })),
  ] as readonly ContentBlock[];
}

describe("museum", () => {
  it.each(conversations)(
    "45: a cache that is read is warm, whatever name and time answers come with ($asked)",
    async (conversation) => {
      const { events, usages } = await work(conversation);
      expect(usages.slice(2).every(({ cacheRead }) => cacheRead > 0)).toBe(true);
      expect(events.filter(({ type }) => type === "results-clear")).toEqual([]);
      expect(events.filter((event) => event.type === "cache-break" && !event.expected)).toEqual([]);
    },
  );

  it.each(conversations)(
    "45: rates are learned and looked up by one name: an increment is off by 5 % at most ($asked)",
    async (conversation) => {
      const { prompts } = await work(conversation);
      const errors = prompts
        .slice(learnedAfter - 1)
        .map(({ estimated, counted, before }) => Math.abs(estimated - counted) / (counted - before));
      expect(Math.max(...errors)).toBeLessThan(0.05);
    },
  );
});
