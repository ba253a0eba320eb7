import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import {
  type ContentBlock,
  type HookFunctions,
  isBlock,
  type MessageInput,
  type ModelRequest,
  type Session,
  type Tool,
} from "../../packages/core/src/spec/index.ts";
import { toRequestId } from "../../packages/core/src/view/request/request-ids.ts";
import { openSession, type SessionOptions } from "../../packages/palimpsest/src/loop/open-session.ts";
import { fromChatMessages, toChatRequest } from "../../packages/palimpsest/src/models/openai/index.ts";
import {
  callTool,
  createVirtualClock,
  createVirtualDisk,
  type Emulator,
  type ScriptFunction,
  say,
  type VirtualDisk,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, modelAt, type Provider } from "../support/agent.ts";
import { createClient, emulate } from "../support/emulator.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const turns = 60;
const names = { anthropic: "claude-sonnet-4-5[1m]", openai: "kimi-k2[1m]" } as const;
const prompt = (turn: number) => `Print ${turn}.`;

/** What the tool gives: now and then more than a result may have, so that layer 1 has something to do. */
const printed = ({ page }: { readonly page?: number }) =>
  `${page}: ${"The quay. ".repeat(page === 7 ? 6_000 : 100)}`;

const bash: Tool = {
  name: "Bash",
  description: "Prints a page.",
  input_schema: { type: "object", properties: { page: { type: "integer" } } },
  isReadOnly: true,
  run: async (input) => ({ content: printed(input as { readonly page?: number }) }),
};

/** One call a turn, with an id as servers of chat completions give it, then an answer. */
const script: ScriptFunction = (_, { answered }) => {
  const page = Math.floor(answered / 2) + 1;
  return answered % 2 === 0 ? callTool("Bash", { page }, `functions.Bash:${page}`) : say(`Printed ${page}.`);
};

interface Told {
  readonly starts: unknown[];
  readonly ends: unknown[];
}

function listening({ starts, ends }: Told): HookFunctions {
  return {
    SessionStart: [
      ({ source }) => {
        starts.push(source);
        return { context: "The harbour is closed." };
      },
    ],
    SessionEnd: [
      ({ reason }) => {
        ends.push(reason);
        return undefined;
      },
    ],
  };
}

const openedWith = (told: Told): SessionOptions => ({
  system: "You print pages.",
  tools: [bash],
  hooks: listening(told),
  request: { temperature: 0 },
  settings: {
    window: { longWindowTokens: 190_000 },
    catalog: { capabilities: { "kimi-k2": { contextWindow: 400_000, maxOutput: 8_000, longWindow: true } } },
    flags: { "session-notes": false, "compact-ahead": false },
  },
});

/** A client that is asked by hand, in one of the two protocols, and its answer as a session takes it. */
function clientOf(provider: Provider, emulator: Emulator): (request: ModelRequest) => Promise<MessageInput> {
  if (provider === "anthropic") {
    const client = createClient(emulator);
    return async (request) => {
      const body = request as unknown as Parameters<typeof client.beta.messages.stream>[0];
      const response = await client.beta.messages.stream(body).finalMessage();
      const { id, content, model, stop_reason: stopReason, usage } = response;
      return {
        role: "assistant",
        id,
        content: content as unknown as ContentBlock[],
        model,
        stopReason,
        usage,
      };
    };
  }
  const client = new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: "sk-test", maxRetries: 0 });
  return async (request) => {
    const { body } = toChatRequest(request, { maxTokensField: "max_tokens" });
    const stream = client.chat.completions.stream(
      body as Parameters<typeof client.chat.completions.stream>[0],
    );
    const { id, model, choices, usage } = await stream.finalChatCompletion();
    const [message] = fromChatMessages([choices[0]?.message]).messages;
    return { role: "assistant", id, content: message?.content ?? [], model, usage };
  };
}

async function printPages(
  session: Session,
  ask: (request: ModelRequest) => Promise<MessageInput>,
  from: number,
  to: number,
): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) {
    let next: MessageInput | null = { role: "user", content: prompt(turn) };
    while (next) {
      await session.add(next);
      const answer = await ask((await session.prepare()).request);
      await session.add(answer);
      const calls = (answer.content as readonly ContentBlock[]).filter((block) => isBlock(block, "tool_use"));
      const results = calls.map(({ id, input }) => ({
        type: "tool_result",
        // Either form of the id will do.
        tool_use_id: turn % 2 === 0 ? id : toRequestId(id),
        content: printed(input as { readonly page?: number }),
      }));
      next = results.length > 0 ? { role: "user", content: results } : null;
    }
  }
}

interface Played {
  readonly emulator: Emulator;
  readonly told: Told;
  readonly windows: readonly number[];
  readonly disk: VirtualDisk;
}

/** Half of the turns, then the rest after the session was opened again with nothing but its id. */
async function play(
  provider: Provider,
  work: (session: Session, emulator: Emulator, from: number, to: number) => Promise<void>,
  withModel: boolean,
): Promise<Played> {
  const { emulator } = await emulate({ script, keepBodies: 2 * turns });
  const told: Told = { starts: [], ends: [] };
  const disk = createVirtualDisk();
  const clock = createVirtualClock();
  const windows: number[] = [];
  for (const isFirst of [true, false]) {
    const session = await openSession({
      store: createVirtualStore({ disk, clock }),
      clock,
      id: "one",
      ...(isFirst ? { model: names[provider], ...openedWith(told) } : { resume: true }),
      ...(withModel && { model: modelAt(emulator, provider, names[provider], clock), tools: [bash] }),
    });
    const half = turns / 2;
    await (isFirst ? work(session, emulator, 1, half) : work(session, emulator, half + 1, turns));
    windows.push(session.usage().thresholds.window);
    await session.close();
  }
  return { emulator, told, windows, disk };
}

const sent = ({ emulator }: Played) =>
  [...emulator.requests].map(({ endpoint, status, headers, body }) => ({
    endpoint,
    status,
    betas: headers["anthropic-beta"],
    body,
  }));

describe.each<Provider>(["anthropic", "openai"])("a loop of one's own with %s", (provider) => {
  it("sends what run sends, with foreign ids, [1m] and hooks, and after it was resumed without options", async () => {
    const own = await play(
      provider,
      (session, emulator, from, to) => printPages(session, clientOf(provider, emulator), from, to),
      false,
    );
    const run = await play(
      provider,
      async (session, _, from, to) => {
        for (let turn = from; turn <= to; turn += 1)
          expect(endOf(await collect(session.run(prompt(turn))))).toMatchObject({ reason: "done" });
      },
      true,
    );
    expect(sent(own)).toHaveLength(2 * turns);
    expect(sent(own).every(({ status, body }) => status === 200 && body !== undefined)).toBe(true);
    expect(sent(own)).toEqual(sent(run));
    expect([own.told, own.windows]).toEqual([run.told, run.windows]);
    expect([own.told, own.windows]).toEqual([{ starts: ["startup"], ends: ["closed"] }, [190_000, 190_000]]);
    const last = JSON.stringify(sent(own).at(-1));
    expect(last).toContain(toRequestId(`functions.Bash:${turns}`));
    expect(last).toContain("The harbour is closed.");
    expect(last).not.toContain("[Call functions.Bash");
    if (provider === "anthropic")
      expect(sent(own)[0]).toMatchObject({
        betas: "context-1m-2025-08-07",
        body: { model: "claude-sonnet-4-5" },
      });
  });
});
