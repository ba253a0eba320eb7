import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../packages/core/src/spec/index.ts";
import { answer, callTool, fault, type Reply, say, think } from "../../packages/testing/src/index.ts";
import type { Provider } from "../support/agent.ts";
import { seed } from "../support/seed.ts";
import {
  asked,
  expectAnswered,
  expectValid,
  messagesOf,
  providers,
  type Stage,
  setStage,
  unmarked,
} from "./stage.ts";

/** What a server may say to one request; a number chooses where it breaks. */
const kinds = [
  "text",
  "thought",
  "call",
  "calls",
  "change",
  "unknown",
  "wrong",
  "failing",
  "broken",
  "refusal",
  "limit",
  "pause",
  "empty",
  "rate",
  "long-wait",
  "overloaded",
  "drop",
  "cut",
  "cut-calls",
  "malformed",
  "stream-error",
  "too-long",
] as const;

interface RandomReply {
  readonly kind: (typeof kinds)[number];
  readonly place: number;
}

interface RandomRun {
  readonly replies: readonly RandomReply[];
  /** After how many events it is interrupted or left, and something is said besides. */
  readonly interruptAt: number | null;
  readonly leaveAt: number | null;
  readonly queueAt: number | null;
  readonly isReopened: boolean;
}

const moment = fc.option(fc.nat({ max: 40 }), { freq: 3 });
const randomRun: fc.Arbitrary<RandomRun> = fc.record({
  replies: fc.array(fc.record({ kind: fc.constantFrom(...kinds), place: fc.nat({ max: 14 }) }), {
    maxLength: 6,
  }),
  interruptAt: moment,
  leaveAt: moment,
  queueAt: moment,
  isReopened: fc.boolean(),
});

/** Everything that is said has a number of its own, so that nothing can be doubled unseen. */
function createSpeaker(isThinking: boolean) {
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };
  const call = (name: string) => {
    const number = next();
    return callTool(name, { text: `input ${number}` }, `call_${number}`);
  };
  const words = () => say(`These are the words with the number ${next()}.`);
  const replies: Readonly<Record<RandomReply["kind"], (position: number) => Reply>> = {
    text: words,
    thought: () => [think(`Thought ${next()}.`), words()],
    call: () => [think(`Thought ${next()}.`), call("Echo")],
    calls: () => [words(), call("Echo"), call("Echo"), call("Change"), call("Echo")],
    change: () => call("Change"),
    unknown: () => call("Fly"),
    wrong: () => callTool("Echo", { text: next() }),
    failing: () => call("Fail"),
    broken: () => [words(), callTool("Echo", "no object", `call_${next()}`)],
    refusal: () => answer([words(), call("Echo")], { stopReason: "refusal" }),
    limit: () => answer([words()], { stopReason: "max_tokens" }),
    pause: () => answer([words()], { stopReason: isThinking ? "end_turn" : "pause_turn" }),
    empty: () => answer([]),
    rate: () => fault.rateLimited(),
    "long-wait": () => fault.rateLimited({ retryAfterSeconds: 3_600 }),
    overloaded: () => fault.overloaded(),
    drop: () => fault.drop(),
    cut: (afterEvent) => fault.cut({ afterEvent, answer: [think(`Thought ${next()}.`), words()] }),
    "cut-calls": (afterEvent) => fault.cut({ afterEvent, answer: [words(), call("Echo"), call("Change")] }),
    malformed: (afterEvent) => fault.malformed({ afterEvent, answer: [words(), call("Echo")] }),
    "stream-error": (afterEvent) => fault.streamError({ afterEvent, answer: [words(), call("Echo")] }),
    "too-long": () => fault.tooLong(),
  };
  return { reply: ({ kind, place }: RandomReply) => replies[kind](place), words, next };
}

/** Tools that count how often each call was run. */
function createTools(ran: Map<string, number>): readonly Tool[] {
  const tool = (name: string, traits: Partial<Tool> = {}): Tool => ({
    name,
    description: `The tool ${name}.`,
    input_schema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    run: async (input, { toolUseId, progress }) => {
      ran.set(toolUseId, (ran.get(toolUseId) ?? 0) + 1);
      progress("working");
      await new Promise((resolve) => setImmediate(resolve));
      return { content: JSON.stringify(input) };
    },
    ...traits,
  });
  const fails: Tool["run"] = () => Promise.reject(new Error("it fails"));
  return [tool("Echo", { isReadOnly: true }), tool("Change"), tool("Fail", { run: fails })];
}

/** Runs to its end, unless it is interrupted or left before; gives the types of its events. */
async function perform({ session }: Stage, run: RandomRun, say: () => void): Promise<readonly string[]> {
  const interrupt = new AbortController();
  const types: string[] = [];
  for await (const { type } of session.run("Go.", { signal: interrupt.signal })) {
    if (types.length === run.queueAt) say();
    if (types.length === run.interruptAt) interrupt.abort();
    if (types.length === run.leaveAt) return [];
    types.push(type);
  }
  return types;
}

/** What would be sent now; nothing before anything was said. */
async function requestOf({ session }: Stage) {
  try {
    return (await session.prepare()).request;
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid-input", fix: "Add a message first." });
    return null;
  }
}

async function checkRuns(runs: readonly RandomRun[], provider: Provider, isThinking: boolean) {
  const speaker = createSpeaker(isThinking);
  const ran = new Map<string, number>();
  let replies: RandomReply[] = [];
  let said: string[] = [];
  const stage = await setStage({
    provider,
    mode: "bypass",
    tools: createTools(ran),
    fallback: provider === "anthropic" ? "claude-sonnet-4-5" : "gpt-5.6-mini",
    script: () => {
      const reply = replies.shift();
      return reply ? speaker.reply(reply) : speaker.words();
    },
    ...(isThinking && { request: { thinking: { type: "enabled", budget_tokens: 2_000 } } }),
  });
  const sayMore = () => {
    said.push(`Word ${speaker.next()}`);
    stage.session.queue(said.at(-1) ?? "");
  };
  const finalRun: RandomRun = {
    replies: [],
    interruptAt: null,
    leaveAt: null,
    queueAt: null,
    isReopened: true,
  };
  for (const run of [...runs, finalRun]) {
    replies = [...run.replies];
    const types = await perform(stage, run, sayMore);
    expect(types.lastIndexOf("run-end")).toBe(types.length - 1);
    expect(types.indexOf("run-end")).toBe(types.length - 1);
    await stage.emulator.idle();
    expectValid(stage);
    const messages = await messagesOf(stage.session);
    const answers = messages.filter(({ type, isAborted }) => type === "assistant" && !isAborted);
    expect(new Set(answers.map(({ content }) => JSON.stringify(content))).size).toBe(answers.length);
    expect(answers.length).toBeLessThanOrEqual(asked(stage).length);
    expect([...ran.values()].filter((times) => times !== 1)).toEqual([]);
    const log = JSON.stringify(messages);
    for (const words of said) expect(log.split(`"${words}"`).length).toBeLessThanOrEqual(2);
    const before = await requestOf(stage);
    expectAnswered(before?.messages ?? []);
    if (!run.isReopened) continue;
    const { count } = stage.session.usage();
    said = said.filter((words) => log.includes(`"${words}"`));
    await stage.resume(before?.model);
    expect(stage.session.usage().count).toEqual(count);
    expect(unmarked(await requestOf(stage))).toBe(unmarked(before));
  }
  const log = JSON.stringify(await messagesOf(stage.session));
  for (const words of said) expect(log.split(`"${words}"`)).toHaveLength(2);
  await stage.session.close();
  await stage.emulator.close();
}

describe.each(providers)("any runs of one session with %s", (provider) => {
  it(`send valid requests only, lose nothing, double nothing and resume to the byte (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomRun, { maxLength: 6 }), fc.boolean(), (runs, isThinking) =>
        checkRuns(runs, provider, isThinking && provider === "anthropic"),
      ),
      { numRuns: 30 },
    );
  });
});
