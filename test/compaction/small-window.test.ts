import { describe, expect, it } from "vitest";
import type { ModelRequest, Tool } from "../../packages/core/src/spec/index.ts";
import { measurePrompt } from "../../packages/testing/src/emulator/request/measure-prompt.ts";
import { createSeededRandom } from "../../packages/testing/src/index.ts";
import {
  type CompactingAgent,
  endOf,
  expectValid,
  grow,
  growing,
  openCompacting,
} from "./compacting-agent.ts";

const words = "the a file path text of lines to read write and when must not is be run tool output".split(
  " ",
);

function prose(bytes: number, seed: number): string {
  const random = createSeededRandom(seed);
  let text = "";
  while (text.length < bytes) text += `${words[random.below(words.length)]} `;
  return text.slice(0, bytes);
}

function definitions(bytes: number, count: number): readonly Tool[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Tool${index}`,
    description: prose(Math.floor(bytes / count) - 110, index + 1),
    input_schema: {
      type: "object",
      properties: { file_path: { type: "string" }, limit: { type: "number" } },
    },
  }));
}

interface SmallWindow {
  readonly window: number;
  readonly systemBytes: number;
  readonly toolBytes: number;
  readonly tools: number;
}

/** An agent whose model has a small window, at the emulator, which counts about 2.8 bytes a token. */
function openSmall({ window, systemBytes, toolBytes, tools }: SmallWindow): Promise<CompactingAgent> {
  const catalog = { capabilities: { "*": { contextWindow: window, maxOutput: window / 4 } } };
  return openCompacting({
    main: growing(25, 1_500),
    emulation: { catalog },
    settings: { catalog, autoCompactWindow: window },
    system: prose(systemBytes, 99),
    tools: [grow, ...definitions(toolBytes, tools)],
  });
}

/** What stands before the messages, by the emulator's own count and as the session accounts for it. */
function headOf({ emulator, session }: CompactingAgent): readonly [number, number] {
  const [first] = emulator.requests;
  const request = first?.whole as unknown as ModelRequest;
  const { categories } = session.usage().accounting;
  return [
    measurePrompt({ ...request, messages: [] }).tokens,
    categories.systemPrompt.tokens + categories.builtInTools.tokens,
  ];
}

describe("a small window", () => {
  it.each<SmallWindow>([
    { window: 32_000, systemBytes: 16_000, toolBytes: 30_000, tools: 20 },
    { window: 32_000, systemBytes: 18_000, toolBytes: 36_000, tools: 20 },
    { window: 32_000, systemBytes: 20_000, toolBytes: 30_000, tools: 30 },
    { window: 8_000, systemBytes: 2_000, toolBytes: 4_000, tools: 4 },
    { window: 8_000, systemBytes: 1_000, toolBytes: 1_000, tools: 2 },
  ])(
    "works at message one, and through compactions: $window, $systemBytes and $toolBytes bytes",
    async (given) => {
      const agent = await openSmall(given);
      expect(endOf(await agent.run())).toMatchObject({ reason: "done", text: "Done." });
      expectValid(agent);
      expect((await agent.boundaries()).length).toBeGreaterThanOrEqual(2);
      const [expected, head] = headOf(agent);
      expect(Math.abs(head - expected)).toBeLessThan(10);
      const { count, accounting } = agent.session.usage();
      expect(accounting.total).toBe(count.tokens);
    },
  );

  it("that system prompt and tools fill is told so, by the provider's count", async () => {
    const agent = await openSmall({ window: 32_000, systemBytes: 20_000, toolBytes: 60_000, tools: 20 });
    expect(endOf(await agent.run())).toMatchObject({ reason: "blocked" });
    const [expected, head] = headOf(agent);
    expect(Math.abs(head - expected)).toBeLessThan(10);
    const plan = agent.session.plan().layers.find(({ layer }) => layer === "compaction");
    expect(plan).toMatchObject({
      outcome: "skip",
      reason: `system prompt and tools alone fill the window (${head.toLocaleString("en-US")} of 32,000 tokens): compaction cannot help`,
    });
  });
});
