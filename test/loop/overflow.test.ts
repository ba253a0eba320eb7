import { describe, expect, it } from "vitest";
import type { DecisionEntry, Layer } from "../../src/spec/index.ts";
import { callTool, fault, say } from "../../src/testing/index.ts";
import { endOf } from "../support/agent.ts";
import { asked, bodiesOf, echo, expectGoesOn, expectValid, providers, setStage, storyOf } from "./stage.ts";

const warning = "warning: The model's server found the request too long: what can be freed is freed.";

/** Clears a result where a server has found the request too long, and says what it was asked for each time. */
function createFreeingLayer() {
  const triggers: string[] = [];
  const layer: Layer = {
    id: "test",
    moments: ["before-request"],
    decide(view, moment) {
      if (moment.kind === "before-request") triggers.push(moment.trigger);
      const isReactive = moment.kind === "before-request" && moment.trigger === "reactive";
      const head = { layer: "test", reason: "too long", frees: 1, basis: view.head } as const;
      const parts = [{ toolUseId: "call_1", part: "result", label: "[cleared]" }] as const;
      const command: DecisionEntry["decision"] = { ...head, type: "clear", parts };
      if (!isReactive) return { verdict: "skip", reason: "not asked" };
      return { verdict: "act", command, run: "inline", reason: head.reason, frees: 1, basis: view.head };
    },
    apply: async (command) => ({
      ok: true,
      value: [{ kind: "decision", decision: command as DecisionEntry["decision"] }],
    }),
  };
  return { layer, triggers };
}

const call = callTool("Echo", { text: "a long result" }, "call_1");

describe.each(providers)("a prompt that %s finds too long", (provider) => {
  it("is made shorter once and sent again; behind the answer nothing is forced any more", async () => {
    const { layer, triggers } = createFreeingLayer();
    const script = [call, fault.tooLong(), callTool("Echo", { text: "b" }, "call_2"), say("Done.")];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "done", requests: 3 });
    expect(storyOf(events).filter((line) => line === warning)).toHaveLength(1);
    expect(triggers).toEqual(["auto", "auto", "reactive", "auto"]);
    expect(bodiesOf(stage).map((body) => body.includes("[cleared]"))).toEqual([false, false, true, true]);
    expectValid(stage);
    await expectGoesOn(stage);
  });

  it("ends the run as blocked when it is still too long", async () => {
    const { layer } = createFreeingLayer();
    const script = [call, fault.tooLong(), fault.tooLong()];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({
      reason: "blocked",
      error: { code: "prompt-too-long" },
      requests: 1,
    });
    expect(asked(stage)).toHaveLength(3);
    await expectGoesOn(stage);
  });

  it("may be too long again later in the run", async () => {
    const { layer } = createFreeingLayer();
    const again = [callTool("Echo", { text: "b" }, "call_2"), fault.tooLong()];
    const script = [call, fault.tooLong(), ...again];
    const stage = await setStage({ provider, script, tools: [echo], layers: [layer] });
    const events = await stage.run();
    expect(storyOf(events).filter((line) => line === warning)).toHaveLength(2);
    expect(endOf(events).reason).toBe("blocked");
    expect(asked(stage)).toHaveLength(4);
  });

  it("is not sent a second time when nothing could be freed", async () => {
    const script = [call, fault.tooLong()];
    const stage = await setStage({ provider, script, tools: [echo] });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "blocked", error: { code: "prompt-too-long" } });
    expect(asked(stage)).toHaveLength(2);
    await expectGoesOn(stage);
  });
});

describe.each(providers)("a request of %s over the window", (provider) => {
  it("is not made: the run ends as blocked", async () => {
    const settings = { catalog: { capabilities: { "*": { contextWindow: 8_000, maxOutput: 1_000 } } } };
    const stage = await setStage({ provider, script: [say("Never said.")], settings });
    const events = await stage.run("word ".repeat(20_000));
    expect(storyOf(events).map((line) => line.replaceAll(/\d+/g, "N"))).toEqual([
      "run-start",
      "run-end blocked: The request has about N tokens, and none over N is sent.",
    ]);
    expect(endOf(events)).toMatchObject({ requests: 0, error: { code: "too-large" } });
    expect(asked(stage)).toEqual([]);
  });
});
