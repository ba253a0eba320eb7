import { describe, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { createFileSpendingLedger, createNodeDisk } from "../../packages/core/src/stores/files/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { answer, callTool, fault, otherwise, say } from "../../packages/testing/src/index.ts";
import { endOf } from "../support/agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { asked, echo, providers, type StageOptions, setStage } from "./stage.ts";

const restless = [otherwise(() => callTool("Echo", { text: "hi" }))];

async function stageWith(dollarsPerDay: number, home: string, more: StageOptions = {}) {
  const stage = await setStage({
    home,
    tools: [echo],
    request: { max_tokens: 1000 },
    settings: { budget: { dollarsPerDay } },
    ...more,
  });
  const day = new Date(stage.clock.now()).toISOString().slice(0, 10);
  const ledger = createFileSpendingLedger({
    home,
    disk: createNodeDisk(),
    clock: stage.clock,
    ids: createRuntime().ids,
  });
  return { ...stage, spent: async () => must(await ledger.spent("all", day)) };
}

describe.each(providers)("a day's budget with %s", (provider) => {
  it("ends a run before the request that could pass it, and other sessions of the data root with it", async () => {
    const home = await temporaryFolder();
    const stage = await stageWith(0.1, home, { provider, script: restless });
    const { reason, error, dollars, requests } = endOf(await stage.run());
    expect({ reason, code: error?.code }).toEqual({ reason: "day-budget", code: "over-budget" });
    expect(asked(stage)).toHaveLength(requests);
    expect(requests).toBeGreaterThan(1);
    const { dollars: known, reserved } = await stage.spent();
    expect(reserved).toBe(0);
    expect(known).toBeCloseTo(dollars, 6);
    expect(known).toBeLessThanOrEqual(0.1);

    const other = await stageWith(known, home, { provider, script: [otherwise(() => say("Hello."))] });
    expect(endOf(await other.run())).toMatchObject({ reason: "day-budget", requests: 0 });
    const free = await stageWith(20, home, { provider, script: [otherwise(() => say("Hello."))] });
    expect(endOf(await free.run())).toMatchObject({ reason: "done", requests: 1 });
  });
});

describe("a day's budget", () => {
  it("is not touched by a request that the server has refused", async () => {
    const home = await temporaryFolder();
    const stage = await stageWith(1, home, { script: [otherwise(() => fault.tooLarge())] });
    expect(endOf(await stage.run()).reason).toBe("blocked");
    expect(await stage.spent()).toEqual({ dollars: 0, reserved: 0 });
  });

  it("is not used up by an answer that reports tokens which cannot be", async () => {
    const home = await temporaryFolder();
    const script = [answer([say("Hello.")], { outputTokens: 1e12 }), say("Hello again.")];
    const stage = await stageWith(1, home, { script });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", dollars: 0 });
    expect(endOf(await stage.run())).toMatchObject({ reason: "done", text: "Hello again." });
    expect((await stage.spent()).dollars).toBeLessThan(0.1);
  });

  it("does not hold where none is set: nothing is written", async () => {
    const home = await temporaryFolder();
    const stage = await setStage({ home, script: [otherwise(() => say("Hello."))] });
    expect(endOf(await stage.run()).reason).toBe("done");
    expect((await createNodeDisk().stat(`${home}/spending`)).ok).toBe(false);
  });
});
