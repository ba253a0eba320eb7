import { describe, expect, it } from "vitest";
import { answer, callTool, fault, type Reply, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import {
  asksForSummary,
  type CompactingOptions,
  eventsOf,
  expectValid,
  growing,
  lastMessage,
  openCompacting,
  summarised,
} from "./compacting-agent.ts";

/** Runs until a compaction was needed; gives the rungs that came to nothing, and who wrote the summary at last. */
async function tryRungs(summary: CompactingOptions["summary"], more: CompactingOptions = {}) {
  const agent = await openCompacting({ main: growing(8, 20_000), ...(summary && { summary }), ...more });
  const end = endOf(await agent.run("Grow it."));
  const skipped = eventsOf(agent.events, "rung-skip").map(({ rung, reason }) => `${rung} ${reason}`);
  const boundaries = await agent.boundaries();
  expectValid(agent);
  return { agent, end, skipped, strategies: boundaries.map(({ strategy }) => strategy) };
}

describe("the ladder", () => {
  it.each<[string, string, Reply]>([
    ["refuses", "api_error", answer([say("I cannot.")], { stopReason: "refusal" })],
    ["returns nothing", "no_summary", say("<analysis>Only a draft.</analysis>")],
    ["calls a tool twice", "tool_call", callTool("Grow", { chars: 10 })],
    ["is cut", "cut", answer([say("<summary>1. Half of")], { stopReason: "max_tokens" })],
    ["fails", "api_error", fault.serverError()],
    ["answers with an error's words", "api_error", say("API Error: 529 Overloaded")],
  ])("ends with the scribe where the model %s (%s)", async (_what, reason, reply) => {
    const { end, skipped, strategies } = await tryRungs(() => reply);
    expect(end).toMatchObject({ reason: "done", text: "Done." });
    expect(skipped).toEqual([`full ${reason}`]);
    expect(strategies).toEqual(["scribe"]);
  });

  it.each([
    ["behind the prefix", true],
    ["as a transcript", false],
  ])("asks three times in all, %s, where the stream breaks off, then the scribe", async (_how, isPrefix) => {
    const { agent, end, skipped, strategies } = await tryRungs(() => fault.cut({ afterEvent: 3 }), {
      settings: { flags: { "compact-prefix": isPrefix } },
    });
    expect(end).toMatchObject({ reason: "done" });
    expect([skipped, strategies]).toEqual([["full api_error"], ["scribe"]]);
    expect(agent.summaries()).toHaveLength(3);
  });

  it("asks for a summary as often as for an answer where the server is overloaded", async () => {
    let asked = 0;
    const { agent, strategies } = await tryRungs(() => {
      asked += 1;
      return asked <= 5 ? fault.overloaded() : summarised("1. At last.");
    });
    expect(strategies).toEqual(["prefix"]);
    expect(agent.summaries()).toHaveLength(6);
  });

  it("drops the oldest rounds where the conversation is too long to be summarised", async () => {
    let asked = 0;
    const { agent, strategies } = await tryRungs((request) => {
      asked += 1;
      return asked <= 3 ? fault.tooLong() : summarised(`3. Read ${request.promptTokens} tokens.`);
    });
    expect(strategies).toEqual(["plain"]);
    expect(eventsOf(agent.events, "compaction-retry")).toHaveLength(2);
    const chars = agent
      .summaries()
      .slice(1)
      .map((request) => lastMessage(request).length);
    expect(chars).toEqual(chars.toSorted((one, other) => other - one));
  });

  it("summarises part by part where that is too long three times, and by the scribe where nothing else is left", async () => {
    let asked = 0;
    const parts = await tryRungs((request) => {
      asked += 1;
      return lastMessage(request).includes("Part ") ? summarised(`Up to ${asked}.`) : fault.tooLong();
    });
    expect(parts.strategies).toEqual(["chunked"]);
    const none = await tryRungs(() => fault.tooLong());
    expect(none.skipped).toEqual(["full prompt_too_long"]);
    expect(none.strategies).toEqual(["scribe"]);
  });

  it("says with numbers that nothing fits where system and tools alone are over the window", async () => {
    const agent = await openCompacting({ system: "rule ".repeat(60_000) });
    const end = endOf(await agent.run("Hello."));
    expect(end).toMatchObject({ reason: "blocked", error: { code: "too-large" } });
    expect(end.error?.facts).toMatchObject({ tokens: expect.any(Number), limit: expect.any(Number) });
    expect([...agent.emulator.requests].filter(asksForSummary)).toEqual([]);
  });

  it("opens the breaker after three failures of a model, says so once, and works by hand all the same", async () => {
    let isWell = false;
    let turns = 0;
    const agent = await openCompacting({
      summary: () => (isWell ? summarised("4. Well again.") : fault.serverError()),
      main: () => {
        turns += 1;
        return turns % 9 === 0 ? say("Done.") : callTool("Grow", { chars: 20_000, mark: `${turns}` });
      },
    });
    for (let turn = 0; turn < 6; turn += 1) await agent.run(`Turn ${turn}.`);
    expect(eventsOf(agent.events, "breaker-open")).toHaveLength(1);
    const failed = eventsOf(agent.events, "rung-skip").filter(({ rung }) => rung === "full");
    expect(failed).toHaveLength(3);
    const boundaries = await agent.boundaries();
    expect(boundaries.length).toBeGreaterThan(3);
    expect(new Set(boundaries.map(({ strategy }) => strategy))).toEqual(new Set(["scribe"]));
    isWell = true;
    expect(await agent.session.compact({ instructions: "Be brief." })).toMatchObject({ strategy: "prefix" });
    expectValid(agent);
  });
});
