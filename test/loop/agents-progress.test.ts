import { describe, expect, it } from "vitest";
import { ok } from "../../packages/core/src/spec/index.ts";
import type { Summarize } from "../../packages/palimpsest/src/loop/agents/progress-rounds.ts";
import { callTool, fault, type RecordedRequest, say } from "../../packages/testing/src/index.ts";
import { collect } from "../support/agent.ts";
import { openTree, type TreeStage } from "./agents-support.ts";
import { gate, lastOf } from "./fork-support.ts";

const isAgent = ({ whole }: RecordedRequest) => JSON.stringify(whole?.system ?? "").includes("general agent");
const usage = { input: 10, output: 3, cacheRead: 0, cacheCreation: 0 };

const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
};

/** A session whose agent in the background calls a tool each time the gate is opened. */
async function begin(summarize?: Summarize, session?: TreeStage["session"]) {
  const gates = [gate(), gate(), gate()];
  let rounds = 0;
  const stage = await openTree({
    ...(summarize && { tree: { summarize } }),
    ...(session && { session }),
    script: async (request) => {
      if (!isAgent(request))
        return lastOf(request).includes("Go.")
          ? callTool("Agent", { description: "a part", prompt: "Work.", background: true })
          : say("Well.");
      const round = gates[rounds];
      rounds += 1;
      if (!round) return fault.stall();
      await round.opened;
      return callTool("Echo", { description: `part ${rounds}`, text: `round ${rounds}` });
    },
  });
  await collect(stage.session.run("Go."));
  const calls = () => stage.tree.statuses()[0]?.spend.toolCalls ?? 0;
  const updates = () => stage.events.flatMap((event) => (event.type === "agent-update" ? [event.text] : []));
  return {
    ...stage,
    updates,
    async work(round: number) {
      gates[round - 1]?.open();
      await until(() => calls() === round);
    },
    async pass(ms: number) {
      await stage.clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("the progress of an agent in the background", () => {
  it("is told every 30 seconds by its last call, and not where it has done nothing since", async () => {
    const { tree, work, pass, updates } = await begin();
    await pass(30_000);
    expect(updates()).toEqual([]);
    await work(1);
    await pass(29_999);
    expect(updates()).toEqual([]);
    await pass(1);
    expect(updates()).toEqual(["Using Echo on part 1"]);
    expect(tree.statuses()[0]?.progress).toBe("Using Echo on part 1");
    await pass(60_000);
    expect(updates()).toHaveLength(1);
    await work(2);
    await pass(30_000);
    expect(updates().at(-1)).toBe("Using Echo on part 2");
    expect(tree.tasks()[0]?.takeOutput()).toContain("Using Echo on part 2");
  });

  it("is a model's words where there is one: one question at a time, and its cost is the agent's", async () => {
    const answers = [gate(), gate()];
    const questions: string[] = [];
    const { tree, work, pass, updates } = await begin(async (record) => {
      questions.push(record.newest());
      await answers[questions.length - 1]?.opened;
      return ok({ text: `“Fixing part ${questions.length}.”`, usage, dollars: 0.25 });
    });
    await work(1);
    const before = tree.statuses()[0]?.spend.dollars ?? 0;
    await pass(30_000);
    expect(questions).toEqual([expect.stringContaining("round 1")]);
    await work(2);
    await pass(90_000);
    expect(questions).toHaveLength(1);
    answers[0]?.open();
    await until(() => updates().length === 1);
    expect(updates()).toEqual(["Fixing part 1"]);
    expect(tree.statuses()[0]?.spend.dollars).toBeGreaterThanOrEqual(before + 0.25);
    answers[1]?.open();
    await pass(30_000);
    await until(() => updates().length === 2);
    expect(updates().at(-1)).toBe("Fixing part 2");
  });

  it("is not asked for and not told with the flag agent-summaries off", async () => {
    let asked = 0;
    const summarize: Summarize = async () => {
      asked += 1;
      return ok({ text: "Fixing part 1", usage, dollars: 0.25 });
    };
    const flags = { "agent-summaries": false };
    const { tree, work, pass, updates } = await begin(summarize, { settings: { flags } });
    await work(1);
    await pass(90_000);
    expect([asked, updates(), tree.statuses()[0]?.progress]).toEqual([0, [], undefined]);
  });

  it("is its last call where the model fails", async () => {
    const { work, pass, updates } = await begin(async () => ({
      ok: false,
      error: Object.assign(new Error("gone")) as never,
    }));
    await work(1);
    await pass(30_000);
    await until(() => updates().length === 1);
    expect(updates()).toEqual(["Using Echo on part 1"]);
  });
});

describe("the words of the cheapest model", () => {
  const isAboutNewest = (request: RecordedRequest) => lastOf(request).includes("<newest>");
  const isBehind = (request: RecordedRequest) => lastOf(request).includes("Say what you are doing now");

  /** An agent that was told so many words, has called a tool so often, and waits. */
  async function begin(words: number, calls: number, said: string) {
    const stage = await openTree({
      hasSummaries: true,
      script: (request) => {
        if (isAboutNewest(request) || isBehind(request)) return say(said);
        if (!isAgent(request))
          return lastOf(request).includes("Go.")
            ? callTool("Agent", {
                description: "a part",
                prompt: `Work. ${"word ".repeat(words)}`,
                background: true,
              })
            : say("Well.");
        return lastOf(request).includes("tool_result")
          ? fault.stall()
          : Array.from({ length: calls }, (_, index) =>
              callTool("Echo", { description: `part ${index + 1}`, text: "seen ".repeat(50) }),
            );
      },
    });
    await collect(stage.session.run("Go."));
    await until(() => stage.tree.statuses()[0]?.spend.toolCalls === calls);
    await until(() => stage.emulator.requests.where(isAgent).length === 2);
    const before = stage.tree.statuses()[0]?.spend.dollars ?? 0;
    await stage.clock.advance(30_000);
    const updates = () => stage.events.filter(({ type }) => type === "agent-update");
    await until(() => updates().length === 1);
    return { ...stage, before, update: updates()[0] };
  }

  it("come from the newest steps alone, without tools, and what they cost is the agent's", async () => {
    const { emulator, update, before, tree } = await begin(6_000, 1, "Fixing the lease test");
    expect(update).toMatchObject({ text: "Fixing the lease test" });
    const [asked, ...more] = emulator.requests.where(isAboutNewest);
    expect([more, emulator.requests.where(isBehind)]).toEqual([[], []]);
    expect(asked?.whole).toMatchObject({ max_tokens: 60, messages: [expect.anything()] });
    expect(asked?.whole?.tools).toBe(undefined);
    expect(tree.statuses()[0]?.spend.dollars).toBeGreaterThan(before);
  });

  it("come from behind the agent's own cached conversation where that costs less", async () => {
    const { emulator, update } = await begin(1, 8, "Fixing the lease test");
    expect(update).toMatchObject({ text: "Fixing the lease test" });
    expect(emulator.requests.where(isAboutNewest)).toEqual([]);
    const [asked] = emulator.requests.where(isBehind);
    const [first] = emulator.requests.where(isAgent);
    expect(asked?.whole?.tools).toEqual(first?.whole?.tools);
    expect(emulator.requests.where(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it("are left for the last call where they are not what was asked for", async () => {
    const { update } = await begin(6_000, 1, "I fixed some things.");
    expect(update).toMatchObject({ text: "Using Echo on part 1" });
  });
});
