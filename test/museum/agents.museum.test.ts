import { describe, expect, it } from "vitest";
import { forkMarker } from "../../packages/core/src/layers/7-agents/rules/index.ts";
import { defaultLayers } from "../../packages/core/src/session/default-layers.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import { callTool, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { openTree } from "../loop/agents-support.ts";
import { echo, lastOf, longTexts, readShare } from "../loop/fork-support.ts";
import { collect, endOf, entriesOf, modelAt } from "../support/agent.ts";
import { readJsonFixture } from "./read-fixture.ts";

const isAgent = ({ whole }: RecordedRequest) => JSON.stringify(whole?.system ?? "").includes("general agent");
const isFork = (request: RecordedRequest) => lastOf(request).includes(forkMarker);
const call = (more: object = {}) => callTool("Agent", { description: "a part", prompt: "Work.", ...more });

describe("museum", () => {
  it("21: agents that would work all night are stopped together when the money of the tree is spent", async () => {
    const night = readJsonFixture<{ agents: number; maxDollars: number; text: string; times: number }>(
      "21-agents-all-night.json",
    );
    const { session, tree, emulator } = await openTree({
      budget: { maxDollars: night.maxDollars },
      script: (request) => {
        if (isAgent(request)) return callTool("Echo", { text: night.text.repeat(night.times) });
        return lastOf(request).includes("Go.")
          ? Array.from({ length: night.agents }, () => call({ background: true }))
          : say("Good night.");
      },
    });
    expect(endOf(await collect(session.run("Go."))).text).toBe("Good night.");
    await Promise.all(tree.tasks().map(({ ended }) => ended));
    expect(
      tree.statuses().map(({ state, reason }) => [state, reason?.includes("agents.maxDollars")]),
    ).toEqual(Array(night.agents).fill(["stopped", true]));
    const spent = tree.statuses().reduce((sum, { spend }) => sum + spend.dollars, 0);
    const dearest = Math.max(...tree.statuses().map(({ spend }) => spend.dollars / spend.requests));
    expect(spent).toBeLessThan(night.maxDollars + night.agents * 2 * dearest);
    await collect(session.run("Go."));
    expect(lastOf(emulator.requests.last as RecordedRequest).match(/agents\.maxDollars/g)).toHaveLength(
      night.agents,
    );
    expect(tree.statuses()).toHaveLength(night.agents);
  });

  it("35: forks of one answer read what they share from the cache, whatever their directives are", async () => {
    const { words, times, forks } = readJsonFixture<{ words: string; times: number; forks: number }>(
      "35-directives.json",
    );
    const { session, emulator } = await openTree({
      script: (request) => {
        if (isFork(request)) return say("Seen.");
        return request.ordinal === 1
          ? Array.from({ length: forks }, (_, one) =>
              call({ agent: "fork", prompt: `${words.repeat(times)}${one}` }),
            )
          : say("Well.");
      },
    });
    await session.add({ role: "user", content: longTexts(60_000) });
    await collect(session.run("Go."));
    const shares = emulator.requests.where(isFork).map(readShare);
    expect(
      shares
        .toSorted()
        .slice(1)
        .filter((share) => share < 0.98),
    ).toEqual([]);
  });

  it("41: an agent that is compacted changes nothing in the conversation that began it", async () => {
    const { session, tree, store, emulator, ...stage } = await openTree({
      script: (request) => {
        if (!isAgent(request)) return lastOf(request).includes("Go.") ? call() : say("Well.");
        return (tree.statuses()[0]?.spend.requests ?? 0) < 11
          ? callTool("Echo", { text: "a line that was read ".repeat(1_500) })
          : say("Read.");
      },
      tree: {
        open: ({ id, mode }) =>
          openSession({
            store,
            id,
            mode,
            model: modelAt(emulator),
            clock: stage.clock,
            layers: defaultLayers(),
            settings: { autoCompactWindow: 60_000, sessionNotesEnabled: false, microcompactEnabled: false },
            system: "You are a general agent.",
            tools: [echo],
            onEvent: (event) => stage.events.push(event),
          }),
      },
    });
    await collect(session.run("Go."));
    const [agent] = tree.statuses();
    expect(agent?.state).toBe("done");
    const compacted = stage.events.flatMap((event) =>
      event.type === "decision-record" && event.decision === "compact" ? [event.session] : [],
    );
    expect(new Set(compacted)).toEqual(new Set([agent?.session]));
    expect((await entriesOf(session)).filter(({ kind }) => kind === "decision")).toEqual([]);
  });
});
