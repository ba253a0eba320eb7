import { describe, expect, it } from "vitest";
import { forkMarker } from "../../packages/core/src/layers/7-agents/rules/index.ts";
import type { AgentDefinition } from "../../packages/core/src/spec/index.ts";
import { openSession } from "../../packages/palimpsest/src/loop/open-session.ts";
import {
  type AnswerBlock,
  callTool,
  type Emulator,
  fault,
  type RecordedRequest,
  say,
} from "../../packages/testing/src/index.ts";
import { collect, endOf, entriesOf, modelAt } from "../support/agent.ts";
import { openTree } from "./agents-support.ts";
import { bytesOf, gate, lastOf } from "./fork-support.ts";

const call = (prompt: string, more: object = {}, id?: string): AnswerBlock =>
  callTool("Agent", { description: "a part", prompt, ...more }, id);
const isFork = (request: RecordedRequest) => JSON.stringify(request.whole).includes(forkMarker);
const systemOf = ({ whole }: RecordedRequest) => JSON.stringify(whole?.system ?? "");
const isAgent = (request: RecordedRequest) => systemOf(request).includes("agent");
const resultsIn = (request: RecordedRequest | undefined) =>
  (bytesOf(request).messages.at(-1) as { content: readonly { type: string; content?: unknown }[] }).content
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => content);

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

const reviewer: AgentDefinition = {
  name: "reviewer",
  description: "Looks for mistakes.",
  prompt: "You are the agent that reviews.",
  path: "/agents/reviewer.md",
};

describe("an agent that begins afresh", () => {
  it("knows its prompt and nothing else, has a log of its own, and hands back its answer", async () => {
    const { emulator, session, tree, store, events } = await openTree({
      agents: [reviewer],
      script: (request) => {
        if (isAgent(request))
          return lastOf(request).includes("Review")
            ? callTool("Echo", { text: "seen" })
            : say("No mistakes.");
        return request.ordinal === 1 ? call("Review a.ts.", { agent: "reviewer" }) : say("It is fine.");
      },
    });
    expect(endOf(await collect(session.run("Secret plan."))).text).toBe("It is fine.");
    const [status] = tree.statuses();
    expect(status).toMatchObject({
      agent: "reviewer",
      name: status?.id,
      parent: "one",
      depth: 1,
      state: "done",
      session: `one/${status?.id}`,
      spend: { requests: 2, toolCalls: 1 },
    });
    const asked = emulator.requests.where(isAgent);
    expect(asked.map(systemOf)).toEqual(Array(2).fill(expect.stringContaining("reviews")));
    expect(JSON.stringify(asked.map(bytesOf))).not.toContain("Secret plan.");
    expect(resultsIn(emulator.requests.last)).toEqual([expect.stringContaining("No mistakes.")]);
    const kinds: string[] = [];
    await store.logs.scan(status?.session as string, ({ kind }) => kinds.push(kind));
    expect(kinds.filter((kind) => kind === "session" || kind === "message")).toEqual([
      "session",
      ...Array(4).fill("message"),
    ]);
    const notes = (await entriesOf(session)).flatMap((entry) =>
      entry.kind === "note" && entry.note.topic === "fork" ? [entry.note] : [],
    );
    expect(notes).toEqual([
      {
        topic: "fork",
        fork: status?.session,
        forkKind: "agent",
        usage: status?.spend.usage,
        dollars: status?.spend.dollars,
      },
    ]);
    const told = events.flatMap((event) => (event.type.startsWith("agent-") ? [event.type] : []));
    expect(told).toEqual(["agent-start", "agent-end"]);
  });

  it("is refused with the names of those there are where nobody has defined it", async () => {
    const { emulator, session } = await openTree({
      agents: [reviewer],
      script: ({ ordinal }) => (ordinal === 1 ? call("Go.", { agent: "nobody" }) : say("Well.")),
    });
    await collect(session.run("Go."));
    expect(resultsIn(emulator.requests.last)).toEqual([
      "There is no agent nobody. There are: fork, general, reviewer.",
    ]);
  });

  it("is a failure of the call where its session cannot be opened", async () => {
    const { emulator, session } = await openTree({
      tree: {
        open: async () => {
          throw new Error("The disk is full.");
        },
      },
      script: ({ ordinal }) => (ordinal === 1 ? call("Go.") : say("Well.")),
    });
    await collect(session.run("Go."));
    expect(resultsIn(emulator.requests.last)).toEqual([expect.stringContaining("The disk is full.")]);
  });

  it("hears what it is told after the round of tools it is in", async () => {
    const { emulator, session, tree } = await openTree({
      script: (request) => {
        if (!isAgent(request)) return request.ordinal === 1 ? call("Go.", { name: "ada" }) : say("Well.");
        if (!lastOf(request).includes("Go.")) return say("Done.");
        expect(tree.named("ada")?.tell("Mind the gap.")).toBe(true);
        return callTool("Echo", { text: "here" });
      },
    });
    await collect(session.run("Go."));
    expect(JSON.stringify(bytesOf(emulator.requests.where(isAgent)[1]))).toContain("Mind the gap.");
    expect(tree.named("ada")).toBe(undefined);
    expect(tree.tasks()[0]).toMatchObject({ isRunning: false });
  });
});

describe("recursion", () => {
  it("of forks is refused: a fork is told so when it calls the tool, and goes on", async () => {
    const { emulator, session } = await openTree({
      script: (request) => {
        if (!isFork(request)) return request.ordinal === 1 ? call("Dig.", { agent: "fork" }) : say("Well.");
        return lastOf(request).includes("cannot be forked")
          ? say("I dug alone.")
          : call("Dig deeper.", { agent: "fork" });
      },
    });
    expect(endOf(await collect(session.run("Go."))).text).toBe("Well.");
    expect(resultsIn(emulator.requests.last)).toEqual([expect.stringContaining("I dug alone.")]);
    const [refused] = emulator.requests.where((request) => lastOf(request).includes("cannot be forked"));
    const tools = (request: RecordedRequest | undefined) => JSON.stringify(bytesOf(request).tools);
    expect(tools(refused)).toBe(tools(emulator.requests.last));
  });

  it("of a fork that is opened again is refused by the marker in its history", async () => {
    const { emulator, session, tree, store } = await openTree({
      script: (request) => {
        if (lastOf(request).includes("Once more.")) return call("Dig deeper.", { agent: "fork" });
        if (isFork(request)) return say("I dug alone.");
        return request.ordinal === 1 ? call("Dig.", { agent: "fork" }) : say("Well.");
      },
    });
    await collect(session.run("Go."));
    const id = tree.statuses()[0]?.session as string;
    const again = await openTree({
      script: () => say("Nothing."),
      session: { id, resume: true, store, model: modelAt(emulator) },
    });
    await collect(again.session.run("Once more."));
    expect(resultsIn(emulator.requests.last)).toEqual([expect.stringContaining("cannot be forked")]);
  });

  it("of agents ends at the depth that was set", async () => {
    const { session, tree } = await openTree({
      budget: { maxDepth: 2 },
      script: (request) => {
        if (lastOf(request).includes("tool_result")) return say("Enough.");
        return call("Deeper.");
      },
    });
    await collect(session.run("Go."));
    expect(tree.statuses().map(({ depth, state }) => [depth, state])).toEqual([
      [1, "done"],
      [2, "done"],
    ]);
  });
});

/** Everything that was logged goes on: each conversation is opened again and answered. */
async function expectValid(
  emulator: Emulator,
  stage: Pick<Awaited<ReturnType<typeof openTree>>, "store" | "tree" | "session">,
): Promise<void> {
  await stage.session.close();
  const ids = ["one", ...stage.tree.statuses().flatMap(({ session }) => session ?? [])];
  for (const id of ids) {
    const again = await openSession({
      store: stage.store,
      id,
      resume: true,
      model: modelAt(emulator),
      layers: [],
    });
    const { reason } = endOf(await collect(again.run("The end?")));
    await again.close();
    expect([id, reason]).toEqual([id, "done"]);
  }
  const wrong = emulator.requests.where(({ status, violations }) => status !== 200 || violations.length > 0);
  expect(wrong.map(({ violations }) => violations)).toEqual([]);
}

const three = () => [call("A.", { agent: "fork" }), call("B.", { agent: "fork" }), call("C.")];

describe("the budget of the tree", () => {
  it("stops all agents once it is used up, whoever used it, and refuses further ones", async () => {
    const late = gate();
    const stage = await openTree({
      budget: { maxTokens: 1_000 },
      script: async (request) => {
        if (lastOf(request).includes("The end?")) return say("Yes.");
        if (isFork(request) || isAgent(request)) {
          if (lastOf(request).includes("C.")) {
            await until(() => stage.emulator.requests.where(isFork).length > 0);
            return callTool("Echo", { text: "spent ".repeat(2_000) });
          }
          await late.opened;
          return say("Too late.");
        }
        return request.ordinal === 1 ? three() : say("Stopped.");
      },
    });
    const running = collect(stage.session.run("Go."));
    await until(
      () =>
        stage.tree.statuses().length === 3 && stage.tree.statuses().every(({ state }) => state !== "running"),
    );
    late.open();
    expect(endOf(await running).text).toBe("Stopped.");
    const why = /used up \d+ of 1000 tokens/;
    expect(stage.tree.statuses().map(({ state, reason }) => [state, why.test(reason ?? "")])).toEqual(
      Array(3).fill(["stopped", true]),
    );
    await expectValid(stage.emulator, stage);
  });

  it.each([
    [{ maxDollars: 0.2 }, "agents.maxDollars"],
    [{ maxTokens: 20_000 }, "agents.maxTokens"],
    [{ maxDayDollars: 0.2 }, "agents.maxDayDollars"],
  ])("stops all within the response that uses it up: %j", async (budget, words) => {
    let [answered, dear] = [0, false];
    let spentToday = 0;
    const stage = await openTree({
      budget,
      tree: {
        daySpend: {
          load: async () => {},
          dollars: () => spentToday,
          add: (dollars) => {
            spentToday += dollars;
          },
          settle: async () => {},
        },
      },
      script: async (request) => {
        if (!isAgent(request))
          return request.ordinal === 1 ? [call("A."), call("B."), call("C.")] : say("Well.");
        answered += 1;
        if (answered < 6) return callTool("Echo", { text: "small" });
        if (dear) return fault.stall();
        dear = true;
        return callTool("Echo", { text: "spent ".repeat(12_000) });
      },
    });
    await collect(stage.session.run("Go."));
    const asked = stage.emulator.requests.where(isAgent).length;
    expect(stage.tree.statuses().map(({ state, reason }) => [state, reason?.includes(words)])).toEqual(
      Array(3).fill(["stopped", true]),
    );
    // Those under way when it was used up, and none begun later.
    expect(asked).toBeLessThanOrEqual(6 + 2);
  });

  it.each([
    [{ maxAgents: 1 }, "no more may be"],
    [{ maxRunning: 1 }, "no more may be at once"],
    [{ maxDepth: 0 }, "agents.maxDepth"],
    [{ maxDollars: 0 }, "agents.maxDollars"],
    [{ maxDayDollars: 0 }, "agents.maxDayDollars"],
  ])("refuses what is over it: %j", async (budget, words) => {
    const { emulator, session } = await openTree({
      budget,
      script: (request) => {
        if (isAgent(request)) return say("Mine.");
        return request.ordinal === 1 ? [call("A."), call("B.")] : say("Well.");
      },
    });
    await collect(session.run("Go."));
    const results = resultsIn(emulator.requests.last);
    expect(results.filter((one) => String(one).includes(words)).length).toBeGreaterThan(0);
  });

  it("ends agents when their time is over, and time without agents does not count", async () => {
    const { session, tree, clock } = await openTree({
      budget: { maxMs: 60_000 },
      script: (request) => {
        if (isAgent(request)) return lastOf(request).includes("Quick") ? say("Here.") : fault.stall();
        if (lastOf(request).includes("First")) return call("Quick.");
        if (lastOf(request).includes("Second")) return call("Slow.");
        return say("Well.");
      },
    });
    await collect(session.run("First."));
    await clock.advance(120_000);
    const running = collect(session.run("Second."));
    await until(() => tree.statuses().length === 2 && tree.statuses()[1]?.session !== undefined);
    await clock.advance(60_000);
    await running;
    expect(tree.statuses().map(({ state }) => state)).toEqual(["done", "stopped"]);
    expect(tree.statuses()[1]?.reason).toContain("agents.maxMs");
  });
});

describe("an abort of the parent", () => {
  it("stops all agents, and leaves logs that go on", async () => {
    const { emulator, ...stage } = await openTree({
      script: (request) => {
        const last = lastOf(request);
        if (last.includes("The end?")) return say("Yes.");
        if (!isFork(request) && !isAgent(request)) return three();
        return last.includes("tool_result") && !last.includes(forkMarker)
          ? fault.stall()
          : [callTool("Echo", { text: "one" }), callTool("Keep", { text: "two" })];
      },
    });
    const aborted = new AbortController();
    const running = collect(stage.session.run("Go.", { signal: aborted.signal, mode: "bypass" }));
    await until(
      () =>
        emulator.requests.where((one) => (isFork(one) || isAgent(one)) && lastOf(one).includes("kept"))
          .length === 3,
    );
    aborted.abort();
    expect(endOf(await running).reason).toBe("aborted");
    expect(stage.tree.statuses().map(({ state }) => state)).toEqual(Array(3).fill("stopped"));
    await expectValid(emulator, stage);
  });
});
