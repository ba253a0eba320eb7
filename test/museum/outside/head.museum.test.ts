import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession, type Session, type Tool } from "palimpsest";
import { anthropic } from "palimpsest/models/anthropic";
import { callTool, createEmulator, say } from "palimpsest/testing";
import { describe, expect, it, onTestFinished } from "vitest";

/** A coding agent's system prompt and tools, and a model with a small window. */
interface Head {
  readonly window: number;
  readonly maxOutput: number;
  readonly systemBytes: number;
  readonly systemText: string;
  readonly toolCount: number;
  readonly toolBytes: number;
  readonly toolText: string;
  /** What the provider says that system prompt and tools have. */
  readonly countedByProvider: number;
  readonly conversation: {
    readonly rounds: number;
    readonly resultBytes: number;
    readonly resultText: string;
  };
}

const fixture = new URL("../fixtures/46-head-of-a-coding-agent.json", import.meta.url);
const { conversation, ...head } = JSON.parse(readFileSync(fixture, "utf8")) as Head;

const filled = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);

const result = filled(conversation.resultText, conversation.resultBytes);
const system = filled(head.systemText, head.systemBytes);
const tools = Array.from(
  { length: head.toolCount },
  (_, index): Tool => ({
    name: `Tool${index}`,
    description: `${index}. ${filled(head.toolText, head.toolBytes / head.toolCount - 120)}`,
    input_schema: { type: "object", properties: { file_path: { type: "string" } } },
    isReadOnly: true,
    run: async () => ({ content: result }),
  }),
);
const catalog = {
  capabilities: { "*": { contextWindow: head.window, maxOutput: head.maxOutput } },
};

async function temporaryHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "palimpsest-head-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

type Options = NonNullable<Parameters<typeof openSession>[0]>;

async function open(options: Options): Promise<Session> {
  const home = await temporaryHome();
  const session = await openSession({ home, cwd: home, system, tools, settings: { catalog }, ...options });
  onTestFinished(() => session.close());
  return session;
}

describe("a coding agent in a small window", () => {
  it("46: works from message one on, and through compactions", async () => {
    let calls = 0;
    const emulator = await createEmulator({
      catalog,
      script: ({ whole }) => {
        const isSummary = JSON.stringify(whole?.messages ?? "").includes("about to be compacted");
        if (isSummary) return say("<summary>\n1. Files were read.\n</summary>");
        calls += 1;
        return calls <= conversation.rounds ? callTool("Tool1", { file_path: `${calls}.ts` }) : say("Done.");
      },
    });
    onTestFinished(() => emulator.close());
    const model = anthropic("claude-opus-4-5", { baseURL: emulator.url, apiKey: "sk-test" });
    const session = await open({ model });
    const ends: unknown[] = [];
    for await (const event of session.run("Read everything."))
      if (event.type === "run-end") ends.push([event.reason, event.text]);
    expect(ends).toEqual([["done", "Done."]]);
    const boundaries: string[] = [];
    for await (const entry of session.entries())
      if (entry.kind === "decision") boundaries.push(entry.decision.type);
    expect(boundaries).toContain("compact");
    expect([...emulator.requests].filter(({ outcome }) => outcome === "refused")).toEqual([]);
  });

  it("46: is compacted where the provider has counted less than was estimated, and all numbers agree", async () => {
    const session = await open({ model: "claude-opus-4-5" });
    let prompt = head.countedByProvider;
    await session.add({ role: "user", content: "Read everything." });
    for (let round = 1; round <= conversation.rounds; round += 1) {
      const id = `toolu_${round}`;
      await session.add({
        role: "assistant",
        content: [{ type: "tool_use", id, name: "Tool1", input: { file_path: `${round}.ts` } }],
        usage: { input: prompt, output: 20, cacheRead: 0, cacheCreation: 0 },
        stopReason: "tool_use",
      });
      await session.add({
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: result }],
      });
      prompt += 20 + conversation.resultBytes / 4;
    }
    const { count, thresholds, accounting } = session.usage();
    const { systemPrompt, builtInTools } = accounting.categories;
    const compaction = session.plan().layers.find(({ layer }) => layer === "compaction");
    expect(count.tokens).toBeGreaterThan(thresholds.auto);
    expect(compaction?.reason).not.toMatch(/can(?:not)? help/);
    expect(compaction?.outcome).toBe("act");
    expect(Math.abs(systemPrompt.tokens + builtInTools.tokens - head.countedByProvider)).toBeLessThan(10);
    expect(accounting.total).toBe(count.tokens);
  });
});
