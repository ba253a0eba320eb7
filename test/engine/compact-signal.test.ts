import { describe, expect, it } from "vitest";
import type { Entry, Session } from "../../packages/core/src/spec/index.ts";
import { fault, type Reply } from "../../packages/testing/src/index.ts";
import {
  type CompactingOptions,
  endOf,
  eventsOf,
  expectValid,
  growing,
  openCompacting,
  summarised,
} from "../compaction/compacting-agent.ts";
import { unmarked } from "../loop/stage.ts";
import { entriesOf } from "../support/agent.ts";

/** An agent whose first summary never comes: `asked` resolves once it is asked for. */
async function openStalling(options: CompactingOptions = {}) {
  let isAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  let hasStalled = false;
  const summary = (): Reply => {
    if (hasStalled) return summarised("1. Everything so far.");
    hasStalled = true;
    isAsked();
    return fault.stall();
  };
  const agent = await openCompacting({ main: growing(2, 12_000), summary, ...options });
  return { agent, asked };
}

/** What the model is shown, and what of the log has a part in it. */
async function seen(session: Session) {
  const { request } = await session.prepare();
  const lasting = (await entriesOf(session)).filter(({ kind }) => kind === "message" || kind === "decision");
  return { messages: unmarked(request.messages), entries: lasting.map(({ id }) => id) };
}

/** Calls that have no result. */
const openCalls = (entries: readonly Entry[]) => {
  const text = JSON.stringify(entries);
  const calls = [...text.matchAll(/"type":"tool_use","id":"([^"]+)"/g)].map(([, id]) => id);
  return calls.filter((id) => !text.includes(`"tool_use_id":"${id}"`));
};

const ways: readonly [string, CompactingOptions][] = [
  ["behind the prefix", {}],
  ["as a transcript", { settings: { flags: { "compact-prefix": false } } }],
];

describe.each(ways)("a compaction by hand that is stopped, %s", (_name, options) => {
  it("changes nothing, and says that it was stopped", async () => {
    const { agent, asked } = await openStalling(options);
    await agent.run("Grow it.");
    const before = await seen(agent.session);
    const stop = new AbortController();
    const compacting = agent.session.compact({}, { signal: stop.signal });
    await asked;
    stop.abort();
    await expect(compacting).rejects.toMatchObject({ code: "aborted" });
    expect(eventsOf(agent.events, "compaction-failed").map(({ reason }) => reason)).toEqual(["aborted"]);
    expect(eventsOf(agent.events, "rung-skip")).toEqual([]);
    expect(await seen(agent.session)).toEqual(before);
    expect(agent.summaries()).toHaveLength(1);
  });

  it("leaves a session that runs, compacts, and is the same when it is opened again", async () => {
    const { agent, asked } = await openStalling(options);
    await agent.run("Grow it.");
    const stop = new AbortController();
    const compacting = agent.session.compact({}, { signal: stop.signal });
    await asked;
    stop.abort();
    await expect(compacting).rejects.toThrow();
    expect(endOf(await agent.run("Go on.")).reason).toBe("done");
    const before = await seen(agent.session);
    await agent.resume();
    expect(await seen(agent.session)).toEqual(before);
    const { tokensBefore, tokensAfter } = await agent.session.compact();
    expect(tokensAfter).toBeLessThan(tokensBefore);
    expect(await agent.boundaries()).toHaveLength(1);
    expect(endOf(await agent.run("Go on.")).reason).toBe("done");
    expectValid(agent);
  });
});

describe("a compaction by hand", () => {
  it("that was stopped before it began asks nobody", async () => {
    const { agent } = await openStalling();
    await agent.run("Grow it.");
    const before = await seen(agent.session);
    await expect(agent.session.compact({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(agent.summaries()).toEqual([]);
    expect(await seen(agent.session)).toEqual(before);
  });

  it("is not taken back by a signal that comes after it", async () => {
    const agent = await openCompacting({ main: growing(2, 12_000) });
    await agent.run("Grow it.");
    const stop = new AbortController();
    await agent.session.compact({}, { signal: stop.signal });
    const before = await seen(agent.session);
    stop.abort();
    expect(await seen(agent.session)).toEqual(before);
    expect(await agent.boundaries()).toHaveLength(1);
  });
});

describe.each(ways)("a run that is interrupted while it compacts, %s", (_name, options) => {
  const filling = { ...options, main: growing(30, 24_000) };

  it("ends as interrupted, with nothing compacted and no call left open", async () => {
    const { agent, asked } = await openStalling(filling);
    const stop = new AbortController();
    const running = agent.run("Grow it.", { signal: stop.signal });
    await asked;
    const atRequest = (await entriesOf(agent.session)).filter(({ kind }) => kind === "message");
    stop.abort();
    expect(endOf(await running).reason).toBe("aborted");
    const entries = await entriesOf(agent.session);
    expect(entries.filter(({ kind }) => kind === "message")).toEqual(atRequest);
    expect(openCalls(entries)).toEqual([]);
    expect(await agent.boundaries()).toEqual([]);
    expect(eventsOf(agent.events, "compaction-failed").map(({ reason }) => reason)).toEqual(["aborted"]);
    expect(eventsOf(agent.events, "rung-skip")).toEqual([]);
    expect(agent.summaries()).toHaveLength(1);
  });

  it("compacts when it goes on, as if nothing had been", async () => {
    const { agent, asked } = await openStalling(filling);
    const stop = new AbortController();
    const running = agent.run("Grow it.", { signal: stop.signal });
    await asked;
    stop.abort();
    await running;
    await agent.resume();
    expect(endOf(await agent.run("Go on.")).reason).toBe("done");
    expect((await agent.boundaries()).length).toBeGreaterThan(0);
    expect(eventsOf(agent.events, "breaker-open")).toEqual([]);
    expectValid(agent);
  });
});
