import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ContentBlock,
  type Event,
  isBlock,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type Session,
  type Usage,
} from "../../packages/core/src/spec/index.ts";
import { openSession } from "../../packages/palimpsest/src/index.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import {
  callTool,
  createEmulator,
  createSeededRandom,
  createVirtualClock,
  type EmulatorOptions,
  say,
} from "../../packages/testing/src/index.ts";
import { spread } from "../support/amount.ts";
import { readTool } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const requests = 30;
/** So many requests have an old result each that would be cleared if the cache were taken for cold. */
const reads = 8;
/** The goal for estimates holds from so many responses on. */
const learnedAfter = 20;
const hour = 3_600_000;

type Api = "messages" | "chat";
type Answered = EmulatorOptions["answerModel"];

/** Another one each time, as a router answers. */
function routed(...names: readonly string[]): Answered {
  let answers = 0;
  return () => {
    answers += 1;
    return names[answers % names.length];
  };
}

const bedrock = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123";
const gguf = "/models/qwen2.5-coder-32b-q4_k_m.gguf";
const nameless = () => undefined;

/** What is asked, and by which name it is answered; absent: by the real API's. */
const table: readonly (readonly [asked: string, answered: string, api: Api, answerModel?: Answered])[] = [
  ["claude-opus-4-5", "its dated name", "messages"],
  ["claude-sonnet-4-5", "its dated name", "messages"],
  ["claude-haiku-4-5", "its dated name", "messages"],
  ["claude-opus-4-1", "its dated name", "messages"],
  ["claude-sonnet-4-0", "its dated name", "messages"],
  ["claude-opus-4-5-20251101", "itself", "messages"],
  ["claude-opus-5-5", "itself", "messages"],
  ["claude-sonnet-4-5[1m]", "its dated name", "messages"],
  ["claude-sonnet-4-5[1m]", "the name without the suffix", "messages", "claude-sonnet-4-5"],
  ["Claude-Opus-4-5", "in lower case", "messages", "claude-opus-4-5-20251101"],
  ["claude-opus-4-5", "in upper case", "messages", "CLAUDE-OPUS-4-5"],
  [bedrock, "itself", "messages"],
  [bedrock, "the dated name", "messages", "claude-sonnet-4-5-20250929"],
  ["claude-sonnet-4-5", "a region's name", "messages", bedrock],
  [profile, "the model behind it", "messages", "claude-sonnet-4-5-20250929"],
  [profile, "a region's name", "messages", bedrock],
  ["claude-sonnet-4-5@20250929", "the dated name", "messages", "claude-sonnet-4-5-20250929"],
  ["claude-opus-4-5", "another model", "messages", "claude-haiku-4-5-20251001"],
  ["claude-opus-4-5", "an empty name", "messages", ""],
  ["claude-opus-4-5", "no name", "messages", nameless],
  ["gpt-4", "its dated name", "chat"],
  ["gpt-4o", "its dated name", "chat"],
  ["gpt-5", "its dated name", "chat"],
  ["my-gpt4-deployment", "the model behind it", "chat", "gpt-4-0613"],
  ["openrouter/auto", "one model", "chat", "anthropic/claude-sonnet-4.5"],
  [
    "openrouter/auto",
    "another one each time",
    "chat",
    routed("anthropic/claude-sonnet-4.5", "openai/gpt-4o", "vendor/unknown"),
  ],
  ["anthropic/claude-sonnet-4.5", "the vendor's name", "chat", "claude-sonnet-4-5-20250929"],
  ["qwen2.5-coder:32b", "a file", "chat", gguf],
  ["llama3", "an empty name", "chat", ""],
  ["llama3", "no name", "chat", nameless],
];

const pairs = table.map(([asked, answered, api, answerModel]) => ({ asked, answered, api, answerModel }));

type Pair = (typeof pairs)[number];

/** Lines as agents read them: words, numbers and signs. */
function createLines() {
  const random = createSeededRandom(45);
  const words = ["value", "index", "result", "node", "path", "count", "entry", "length", "state", "name"];
  const word = () => words[random.below(words.length)];
  return () =>
    `const ${word()}${random.below(90)} = ${word()}(${word()}, ${random.below(900)}); // ${word()}`;
}

interface Worked {
  readonly events: readonly Event[];
  readonly usages: readonly Usage[];
  /** How far each estimated increment was off, as a part of what was counted. */
  readonly errors: readonly number[];
  /** Requests whose old results were not sent whole. */
  readonly cleared: number;
}

/** A loop as others write it: prepares a request, sends it, and adds what comes back with the time it is given. */
async function work({ asked, api, answerModel }: Pair, timeOf?: (nowMs: number) => number): Promise<Worked> {
  const clock = createVirtualClock();
  const emulator = await createEmulator({
    clock,
    models: [asked.replace(/\[1m\]$/, "")],
    ...(answerModel !== undefined && { answerModel }),
    script: ({ ordinal }) =>
      ordinal < reads ? callTool("Read", { file_path: `/p/${ordinal}.ts` }) : say(`Step ${ordinal} is done.`),
  });
  onTestFinished(() => emulator.close());
  const events: Event[] = [];
  const session = await openSession({
    store: createVirtualStore({ clock }),
    clock,
    id: "one",
    model: anthropic(asked, { environment: {} }),
    system: "You are careful. ".repeat(1_200),
    tools: [readTool],
    onEvent: (event) => events.push(event),
  });
  const model =
    api === "messages"
      ? anthropic(asked, { baseURL: emulator.url, apiKey: "any" })
      : openai(asked, { baseURL: `${emulator.url}/v1`, apiKey: "any" });
  const line = createLines();
  const usages: Usage[] = [];
  const errors: number[] = [];
  let cleared = 0;
  let before = 0;
  await session.add({ role: "user", content: "Begin." });
  for (let request = 0; request < requests; request += 1) {
    await clock.advance(20_000);
    const prepared = await session.prepare();
    if (JSON.stringify(prepared.request).includes("content cleared]")) cleared += 1;
    const response = await responseOf(model, prepared.request);
    const { input, output, cacheRead, cacheCreation } = response.usage;
    const prompt = input + cacheRead + cacheCreation;
    if (before > 0) errors.push(Math.abs((prepared.report.count.tokens - prompt) / (prompt - before)));
    before = prompt + output;
    usages.push(response.usage);
    await addResponse(session, response, timeOf?.(clock.now()));
    await session.add({ role: "user", content: nextContent(response, line) });
  }
  await session.close();
  return { events, usages, errors, cleared };
}

async function responseOf(model: Model, request: ModelRequest): Promise<ModelResponse> {
  for await (const event of model.stream(request, new AbortController().signal)) {
    if (!event.ok) throw event.error;
    if (event.value.type === "response-end") return event.value;
  }
  throw new Error("there was no response");
}

async function addResponse(session: Session, response: ModelResponse, at: number | undefined): Promise<void> {
  const { id, model, content, stopReason, usage } = response;
  await session.add({
    role: "assistant",
    id,
    model,
    content,
    stopReason,
    usage,
    ...(at !== undefined && { at }),
  });
}

/** Many lines, each a block of its own, since the emulator counts every block otherwise; the file that was called for. */
function nextContent({ content }: ModelResponse, line: () => string): readonly ContentBlock[] {
  const called = content.flatMap((block) => (isBlock(block, "tool_use") ? block.id : []));
  return [
    ...called.map((id) => ({ type: "tool_result", tool_use_id: id, content: linesOf(40, line).join("\n") })),
    ...linesOf(120, line).map((text) => ({ type: "text", text })),
  ];
}

const linesOf = (count: number, line: () => string) => Array.from({ length: count }, line);

function expectSteady({ events, usages, errors, cleared }: Worked): void {
  expect(usages.slice(2).filter(({ cacheRead }) => cacheRead === 0)).toEqual([]);
  expect(events.filter(({ type }) => type === "results-clear")).toEqual([]);
  expect(cleared).toBe(0);
  expect(events.filter((event) => event.type === "cache-break" && !event.expected)).toEqual([]);
  expect(Math.max(...errors.slice(learnedAfter - 1))).toBeLessThan(0.05);
}

describe("a session that asks", () => {
  it.each(spread(pairs, 8))(
    "$asked and is answered by $answered keeps its cache and its rates",
    async (pair) => {
      expectSteady(await work(pair));
    },
  );

  const times: readonly (readonly [string, (nowMs: number) => number])[] = [
    ["five hours early", (nowMs) => nowMs - 5 * hour],
    ["five hours late", (nowMs) => nowMs + 5 * hour],
    ["of a fixed date", () => Date.UTC(2024, 0, 1)],
  ];
  const some = pairs.filter((_pair, index) => index % 8 === 0);
  const timed = times.flatMap(([when, timeOf]) => some.map((pair) => ({ when, timeOf, pair })));
  it.each(spread(timed, 4))(
    "$pair.asked keeps both where answers by $pair.answered have times $when",
    async ({ timeOf, pair }) => {
      expectSteady(await work(pair, timeOf));
    },
  );
});
