import { describe, expect, it } from "vitest";
import { callTool } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import {
  eventsOf,
  expectValid,
  growing,
  lastMessage,
  openCompacting,
  shareOf,
  summarised,
} from "./compacting-agent.ts";

describe("a full compaction", () => {
  it("comes at the threshold, rides the cached prefix, and the agent goes on", async () => {
    const agent = await openCompacting({ main: growing(8, 20_000) });
    const end = endOf(await agent.run("Grow it."));
    expect(end).toMatchObject({ reason: "done", text: "Done." });
    const boundaries = await agent.boundaries();
    expect(boundaries).toMatchObject([{ trigger: "auto", strategy: "prefix", layer: "compaction" }]);
    const { tokensBefore, tokensAfter, cause } = boundaries[0] as (typeof boundaries)[0];
    expect(tokensBefore).toBeGreaterThanOrEqual(agent.session.usage().thresholds.auto);
    expect(tokensAfter).toBeLessThan(tokensBefore * 0.9);
    expect(cause).toMatchObject({ isChained: false, turnsSincePrevious: -1, source: "main" });
    const [asked] = agent.summaries();
    expect(shareOf(asked as never)).toBeGreaterThan(0.8);
    const [ended] = eventsOf(agent.events, "compaction-end");
    expect(ended).toMatchObject({
      strategy: "prefix",
      trigger: "auto",
      usage: { output: expect.any(Number) },
    });
    expect(eventsOf(agent.events, "compaction-delta").length).toBeGreaterThan(0);
    expectValid(agent);
    const after = agent.emulator.requests.last;
    expect(JSON.stringify(after?.whole?.messages)).toContain("1. Everything so far.");
    expect(JSON.stringify(after?.whole?.messages)).toContain("Grow it.");
  });

  it("reads at least 95 % of an input of over 100,000 tokens from the cache", async () => {
    const agent = await openCompacting({
      main: growing(50, 10_000),
      settings: { autoCompactWindow: 190_000 },
    });
    await agent.run("Grow it.");
    const [asked] = agent.summaries();
    expect(asked?.promptTokens).toBeGreaterThan(100_000);
    expect(shareOf(asked as never)).toBeGreaterThan(0.95);
    expect(eventsOf(agent.events, "compaction-end")[0]?.cacheShare).toBeGreaterThan(0.95);
    expectValid(agent);
  });

  it("denies a tool that is called once, and takes the summary that comes then", async () => {
    let asked = 0;
    const agent = await openCompacting({
      main: growing(8, 20_000),
      summary: () => {
        asked += 1;
        return asked === 1 ? callTool("Grow", { chars: 10 }) : summarised("2. At last.");
      },
    });
    await agent.run("Grow it.");
    expect(await agent.boundaries()).toMatchObject([{ strategy: "prefix" }]);
    expect(asked).toBe(2);
    expectValid(agent);
  });

  it("is asked for by hand, with instructions, and speaks as background", async () => {
    const agent = await openCompacting({ main: growing(3, 20_000) });
    await agent.run("Grow it.");
    const report = await agent.session.compact({ instructions: "Name every mark." });
    expect(report).toMatchObject({
      strategy: "prefix",
      summary: expect.stringContaining("1. Everything so far."),
    });
    expect(report.summary).toMatch(/^\[Background:/);
    expect(report.summary).not.toContain("Go on with the task");
    expect(lastMessage(agent.summaries()[0] as never)).toContain("Name every mark.");
    expect(agent.session.usage().count.tokens).toBeLessThan(report.tokensBefore);
    expect(endOf(await agent.run("And now?"))).toMatchObject({ reason: "done" });
    expectValid(agent);
  });

  it("of nothing is a clear error", async () => {
    const agent = await openCompacting();
    await expect(agent.session.compact()).rejects.toMatchObject({
      code: "invalid-input",
      message: "There is nothing to compact: the conversation is empty.",
    });
    await expect(agent.session.compact({ from: "e1", upTo: "e2" })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(agent.session.compact({ from: "nobody" })).rejects.toMatchObject({ code: "not-found" });
  });
});
