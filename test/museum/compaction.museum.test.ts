import { describe, expect, it } from "vitest";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import type { CompactionFailure } from "../../packages/core/src/spec/index.ts";
import { estimateContent } from "../../packages/core/src/view/tokens/index.ts";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { callTool, createVirtualClock, fault, say } from "../../packages/testing/src/index.ts";
import {
  type CompactingAgent,
  eventsOf,
  expectValid,
  growing,
  openCompacting,
  summarised,
} from "../compaction/compacting-agent.ts";
import { bytesOf, readShare } from "../loop/fork-support.ts";
import { messageEnd, messageStart, serve, streamHeaders, textBlock, toWire } from "../models/wire-server.ts";
import { endOf, entriesOf, openAgent } from "../support/agent.ts";
import { readJsonFixture } from "./read-fixture.ts";

const strategiesOf = async (agent: CompactingAgent) =>
  (await agent.boundaries()).map(({ strategy }) => strategy);

/** Tokens that tools and the model have said, by the plain rule. */
async function saidTokens({ session }: CompactingAgent): Promise<number> {
  return (await entriesOf(session)).reduce(
    (sum, entry) => sum + (entry.kind === "message" ? estimateContent(entry.message.content) : 0),
    0,
  );
}

/** Calls a tool in nine of ten requests, for ever. */
function working(chars: number) {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % 10 === 0 ? say("Done.") : callTool("Grow", { chars, mark: `call-${calls}` });
  };
}

const narrow = readJsonFixture<{
  rule: string;
  rules: number;
  resultChars: number;
  summary: string;
  summaries: number;
  hook: string;
  hooks: number;
  turns: number;
}>("14-hardly-anything-to-free.json");

/** A hook that brings as much back as it may. */
const full = ({ source }: { readonly source: string }) =>
  source === "compact" ? { context: narrow.hook.repeat(narrow.hooks) } : undefined;

describe("museum", () => {
  it.each(readJsonFixture<readonly Parameters<typeof fault.error>[0][]>("13-too-long-to-compact.json"))(
    "13: a conversation that is too long to be summarised is compacted all the same ($status $message)",
    async (error) => {
      const agent = await openCompacting({ main: growing(8, 20_000), summary: () => fault.error(error) });
      expect(endOf(await agent.run("Grow it."))).toMatchObject({ reason: "done", text: "Done." });
      expect(await strategiesOf(agent)).toEqual(["scribe"]);
      expect(await agent.session.compact({ instructions: "Be brief." })).toMatchObject({
        strategy: "scribe",
      });
      expectValid(agent);
    },
  );

  it("14: where hardly anything can be freed, summaries are bounded by what is new, not by requests", async () => {
    let asked = 0;
    const agent = await openCompacting({
      system: narrow.rule.repeat(narrow.rules),
      main: working(narrow.resultChars),
      summary: () => {
        asked += 1;
        return summarised(narrow.summary.repeat(narrow.summaries));
      },
      settings: { compaction: { budgetPercent: 80, newTokensPercent: 20, maxFailures: 1_000 } },
      hooks: { SessionStart: [full, full, full] },
    });
    for (let turn = 1; turn <= narrow.turns; turn += 1)
      expect(endOf(await agent.run(`Turn ${turn}.`))).toMatchObject({ reason: "done" });
    const compactions = (await agent.boundaries()).length;
    const perSummary = agent.session.usage().thresholds.window / 5;
    expect(asked).toBeGreaterThan(3);
    expect(compactions).toBeGreaterThan(asked);
    expect(asked).toBeLessThanOrEqual(1 + (await saidTokens(agent)) / perSummary);
    const ends = eventsOf(agent.events, "compaction-end");
    const threshold = agent.session.usage().thresholds.auto;
    expect(
      ends.filter(
        ({ tokensBefore, tokensAfter }) => tokensAfter > tokensBefore * 0.9 || tokensAfter >= threshold,
      ),
    ).toEqual([]);
    expectValid(agent);
  });

  it("17: the summary's request is the conversation's own and reads it from the cache", async () => {
    const { calls, resultChars } = readJsonFixture<{ calls: number; resultChars: number }>(
      "17-grown-conversation.json",
    );
    const agent = await openCompacting({ main: growing(calls, resultChars) });
    await agent.run("Grow it.");
    const requests = [...agent.emulator.requests];
    const [asked] = agent.summaries();
    const before = asked && requests[requests.indexOf(asked) - 1];
    if (!before) throw new Error("nothing was compacted");
    const { messages, ...head } = bytesOf(asked);
    const { messages: former, ...formerHead } = bytesOf(before);
    expect({ ...head, max_tokens: 0 }).toEqual({ ...formerHead, max_tokens: 0 });
    expect(JSON.stringify(messages.slice(0, former.length))).toBe(JSON.stringify(former));
    expect(readShare(asked)).toBeGreaterThan(0.9);
  });

  it.each(readJsonFixture<readonly string[]>("20-errors-that-became-summaries.json"))(
    "20: an error's words never become the summary: %s",
    async (text) => {
      const agent = await openCompacting({ main: growing(8, 20_000), summary: () => say(text) });
      await agent.run("Grow it.");
      const [boundary, ...others] = await agent.boundaries();
      expect(others).toEqual([]);
      expect(boundary).toMatchObject({ strategy: "scribe" });
      expect(JSON.stringify(boundary?.summary)).not.toContain(JSON.stringify(text).slice(1, -1));
      const { strategy, summary, modelFailure } = await agent.session.compact({ instructions: "Be brief." });
      const reason = "api_error" satisfies CompactionFailure;
      expect({ strategy, reason: modelFailure?.reason }).toEqual({ strategy: "scribe", reason });
      expect(summary).not.toContain(text);
    },
  );

  it("35: a fork of a compacted conversation reads its prompt from the cache", async () => {
    const agent = await openCompacting({
      main: growing(40, 4_000),
      summary: () => summarised(`1. So far. ${"It went well, in many words. ".repeat(400)}`),
    });
    await agent.run("Grow it.");
    expect(await strategiesOf(agent)).toEqual(["prefix"]);
    const before = bytesOf(agent.emulator.requests.last);
    const { cache } = await agent.session.fork("Look around.", { kind: "agent", turns: 1 });
    expect(cache.share).toBeGreaterThan(0.95);
    const forked = bytesOf(agent.emulator.requests.last);
    expect(JSON.stringify(forked.messages.slice(0, before.messages.length))).toBe(
      JSON.stringify(before.messages),
    );
  });

  it("36: a summary that takes ten minutes and shows signs of life is waited for", async () => {
    const clock = createVirtualClock();
    const { idleMs: idleTimeoutMs, pings } = readJsonFixture<{ idleMs: number; pings: number }>(
      "36-slow-answer.json",
    );
    let waits = 0;
    const sleep = (ms: number, signal?: AbortSignal) => {
      waits += 1;
      return clock.sleep(ms, signal);
    };
    const url = await serve(async ({ response }) => {
      response.writeHead(200, streamHeaders);
      response.write(toWire([messageStart]));
      for (let sent = 0; sent < pings; sent += 1) {
        while (waits < sent + 2) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(idleTimeoutMs - 1);
        response.write(toWire([{ type: "ping" }]));
      }
      response.end(toWire([...textBlock(0, "<summary>At last.</summary>"), ...messageEnd()]));
    });
    const options = { baseURL: url, apiKey: "sk-test", clock: { ...clock, sleep }, idleTimeoutMs };
    const session = await openAgent({
      model: anthropic("claude-opus-4-5", options),
      layers: defaultLayers(),
      settings: { flags: { "session-notes": false } },
    });
    await session.add({ role: "user", content: "Tell me everything." });
    await session.add({ role: "assistant", content: "It began like this. ".repeat(2_000) });
    const startedMs = clock.now();
    const { strategy, summary } = await session.compact();
    expect([strategy, summary]).toEqual(["plain", expect.stringContaining("At last.")]);
    expect(clock.now() - startedMs).toBeGreaterThan((pings - 1) * idleTimeoutMs);
  });

  it("37: the usage of responses from before a compaction, kept ones too, does not compact again", async () => {
    const agent = await openCompacting({
      settings: { flags: { "reactive-only": true } },
      emulation: { catalog: { capabilities: { "claude-opus-4-5": { contextWindow: 40_000 } } } },
      main: growing(20, 8_000),
    });
    await agent.run("Grow it.");
    const [boundary] = await agent.boundaries();
    expect(boundary).toMatchObject({ trigger: "reactive", kept: { anchor: "summary" } });
    const kept = (await entriesOf(agent.session)).filter(
      (entry) =>
        entry.kind === "message" &&
        entry.message.usage !== undefined &&
        entry.seq >= (boundary?.kept?.headSeq ?? 0) &&
        entry.seq <= (boundary?.kept?.tailSeq ?? 0),
    );
    expect(kept).not.toEqual([]);
    const end = agent.events.findIndex(({ type }) => type === "compaction-end");
    const [next] = eventsOf(agent.events.slice(end), "request-start");
    expect(next?.tokens).toBeLessThan((boundary?.tokensBefore ?? 0) * 0.7);
    expect(await strategiesOf(agent)).toHaveLength(1);
  });

  it("39: a compaction that cannot succeed is not tried on every turn, and that is said once", async () => {
    const { turns, resultChars, rule, rules } = readJsonFixture<{
      turns: number;
      resultChars: number;
      rule: string;
      rules: number;
    }>("39-turns-that-cannot-be-compacted.json");
    const failing = await openCompacting({ main: working(resultChars), summary: () => fault.serverError() });
    for (let turn = 1; turn <= turns; turn += 1) await failing.run(`Turn ${turn}.`);
    const failed = eventsOf(failing.events, "rung-skip").filter(({ rung }) => rung === "full");
    expect(failed.map(({ reason }) => reason)).toEqual(["api_error", "api_error", "api_error"]);
    expect(eventsOf(failing.events, "breaker-open")).toMatchObject([{ failures: 3 }]);
    expect((await strategiesOf(failing)).length).toBeGreaterThan(10);
    const hopeless = await openCompacting({ system: rule.repeat(rules) });
    for (let turn = 1; turn <= turns; turn += 1)
      expect(endOf(await hopeless.run(`Turn ${turn}.`))).toMatchObject({
        reason: "blocked",
        error: { code: "too-large" },
      });
    expect(eventsOf(hopeless.events, "compaction-start")).toEqual([]);
    expect([...hopeless.emulator.requests]).toEqual([]);
  });
});
