import { describe, expect, it, onTestFinished } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession } from "../../packages/core/src/session/open-session.ts";
import type { EventBody, Session, Settings, Tool } from "../../packages/core/src/spec/index.ts";
import { imageOf } from "../support/images.ts";
import { assistant, user } from "../support/session-messages.ts";
import { createVirtualStore } from "../support/virtual-store.ts";

const tools: readonly Tool[] = [
  { name: "Read", description: "Reads a file.", input_schema: { type: "object" } },
];

async function open(settings: Settings = {}, more: { readonly tools?: readonly Tool[] } = {}) {
  const events: EventBody[] = [];
  const session = await openSession({
    store: createVirtualStore(),
    id: "one",
    model: "my/llm",
    system: "You are careful.",
    layers: defaultLayers(),
    settings: {
      ...settings,
      catalog: { capabilities: { "my/llm": { contextWindow: 32_000, maxOutput: 4_000 } } },
    },
    onEvent: (event) => void events.push(event),
    ...more,
  });
  onTestFinished(async () => {
    await session.close();
  });
  return { session, events };
}

/** Answers as a provider that counts the prompt so. */
async function answer(session: Session, id: string, input: number, content = "Yes."): Promise<void> {
  const usage = { input, output: 40, cacheRead: 0, cacheCreation: 0 };
  await session.add(assistant(content, { id, usage }));
}

const images = Array.from({ length: 10 }, (_, at) => imageOf(20, 20, at));
const words = "All is well with the report. ".repeat(80);

describe("a first prompt that the provider counts far above our estimate", () => {
  it.each<[string, readonly Tool[], number]>([
    ["nothing but a sentence", [], 16],
    ["a sentence and a tool", tools, 1_100],
  ])("is not taken for a system prompt of %s", async (_what, given, most) => {
    const { session } = await open({}, { tools: given });
    await session.add(user("Zm9vYmFyCg".repeat(2_400)));
    await session.prepare();
    await answer(session, "a", 17_500);
    const { count, accounting } = session.usage();
    const { systemPrompt, builtInTools } = accounting.categories;
    expect(systemPrompt.tokens + builtInTools.tokens).toBeLessThan(most);
    expect(accounting.total).toBe(count.tokens);
  });

  it("gives way to the next prompt, which stands there word for word", async () => {
    const { session, events } = await open();
    await session.add(user("Zm9vYmFyCg".repeat(2_400)));
    await session.prepare();
    await answer(session, "a", 17_500);
    const text = Array.from({ length: 1_600 }, (_, at) => `line ${at} of the report, all is well.\n`).join(
      "",
    );
    await session.add(user(text));
    const { request } = await session.prepare();
    const [last] = request.messages.at(-1)?.content.slice(-1) ?? [];
    expect(last).toMatchObject({ type: "text", text });
    expect(events.filter(({ type }) => type === "prompt-offload")).toEqual([]);
  });

  it("is compacted when the window is full, so that the session goes on", async () => {
    const { session, events } = await open();
    await session.add(user([{ type: "text", text: "What is on these?" }, ...images]));
    await session.prepare();
    await answer(session, "a", 27_514);
    for (let round = 0; round < 12; round += 1) {
      await session.add(user(`${round} ${words}`));
      const { report } = await session.prepare();
      await answer(session, `b${round}`, report.count.tokens);
    }
    const strategies = events.flatMap((event) => (event.type === "compaction-end" ? event.strategy : []));
    expect(strategies).toEqual(["scribe"]);
  });

  it("can be compacted by hand where that is left to a person", async () => {
    const { session } = await open({ autoCompactEnabled: false });
    await session.add(user([{ type: "text", text: "What is on these?" }, ...images]));
    await session.prepare();
    await answer(session, "a", 27_514);
    await session.add(user(words));
    const { tokensBefore, tokensAfter } = await session.compact();
    expect(tokensBefore).toBeGreaterThan(27_514);
    expect(tokensAfter).toBeLessThan(10_000);
    await session.prepare();
  });
});
