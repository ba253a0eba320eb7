import { describe, expect, it } from "vitest";
import type { LoopEvent } from "../../packages/core/src/spec/index.ts";
import { callTool, createVirtualClock, fault, say } from "../../packages/testing/src/index.ts";
import { endOf, modelAt } from "../support/agent.ts";
import {
  answersOf,
  asked,
  bodiesOf,
  echo,
  expectGoesOn,
  expectValid,
  messagesOf,
  providers,
  type Stage,
  setStage,
  storyOf,
} from "./stage.ts";

/** Comes in several pieces, and calls a tool at its end. */
const words = "I shall look that up for you at once.";
const lost = [say(words), callTool("Echo", { text: "looked up, and a little more" }, "call_lost")];
const kept = [say(words), callTool("Echo", { text: "looked up, and a little more" }, "call_kept")];

/** How many events the answer has when it comes whole. */
async function eventsOf(provider: (typeof providers)[number]): Promise<number> {
  const stage = await setStage({ provider, script: [lost, say("Done.")], tools: [echo] });
  await stage.run();
  return asked(stage)[0]?.events ?? 0;
}

/** One tool ran, one answer of each request counts, and what was cut is in the log and in no request. */
async function expectOnce(stage: Stage, events: readonly LoopEvent[]): Promise<void> {
  expect(endOf(events)).toMatchObject({ reason: "done", text: "Done.", requests: 2 });
  expect(events.filter(({ type }) => type === "tool-start")).toHaveLength(1);
  const answers = await answersOf(stage.session);
  expect(answers.filter((line) => line.startsWith("whole"))).toEqual([
    `whole: ${words} + tool_use Echo`,
    "whole: Done.",
  ]);
  const cut = (await messagesOf(stage.session)).filter(({ isAborted }) => isAborted);
  expect(cut.length).toBeLessThan(2);
  for (const { usage, content } of cut) {
    expect(usage).toBeUndefined();
    expect(JSON.stringify(content).length).toBeGreaterThan(2);
  }
  expectValid(stage);
}

describe.each(providers)("an answer of %s that breaks", (provider) => {
  it.each(["cut", "malformed", "streamError"] as const)(
    "after any of its events by %s is asked for again, and nothing is lost or doubled",
    async (kind) => {
      const count = await eventsOf(provider);
      expect(count).toBeGreaterThan(8);
      let broken = 0;
      for (let afterEvent = 0; afterEvent < count; afterEvent += 1) {
        const breaking = fault[kind]({ afterEvent, answer: lost });
        const stage = await setStage({ provider, script: [breaking, kept, say("Done.")], tools: [echo] });
        const events = await stage.run();
        const cuts = events.filter(({ type }) => type === "retry-wait").length;
        if (cuts === 0) {
          // It came whole: the break was in a ping, or behind the reason why the model stopped.
          expect(endOf(events)).toMatchObject({ reason: "done", text: "Done.", requests: 3 });
          expect((await answersOf(stage.session)).filter((line) => line.startsWith("cut"))).toEqual([]);
          continue;
        }
        broken += 1;
        const [first, again] = bodiesOf(stage);
        expect(again).toBe(first);
        expect(asked(stage)).toHaveLength(3);
        expect(
          events.filter(({ type }) => type === "response-start" || type === "response-cut").length % 2,
        ).toBe(0);
        await expectOnce(stage, events);
        expect(JSON.stringify(asked(stage)[2]?.body)).not.toContain("call_lost");
        await expectGoesOn(stage);
      }
      expect(broken).toBeGreaterThanOrEqual(count - 3);
    },
  );

  it("by silence is given up when nothing comes for too long, and asked for again", async () => {
    const modelClock = createVirtualClock();
    const idleSeconds = provider === "anthropic" ? 120 : 600;
    const afterEvent = provider === "anthropic" ? 4 : 2;
    const stage = await setStage({
      provider,
      script: [fault.stall({ afterEvent, answer: lost }), kept, say("Done.")],
      tools: [echo],
      model: (emulator) => modelAt(emulator, provider, undefined, modelClock),
    });
    const events: LoopEvent[] = [];
    for await (const event of stage.session.run("Begin.")) {
      events.push(event);
      if (event.type === "block-delta" && !events.some(({ type }) => type === "response-cut")) {
        while (modelClock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
        await modelClock.advance(idleSeconds * 1_000);
      }
    }
    expect(storyOf(events).filter((line) => line.includes("stalled"))).toEqual([
      `response-cut stalled: Nothing has come for ${idleSeconds} seconds.`,
      `retry-wait stalled: Nothing has come for ${idleSeconds} seconds.`,
    ]);
    expect(await answersOf(stage.session)).toContain("cut: I shall look tha");
    const [first, again] = bodiesOf(stage);
    expect(again).toBe(first);
    await expectOnce(stage, events);
  });

  it("again and again keeps each of its beginnings in the log, and sends none", async () => {
    const breaking = fault.cut({ afterEvent: provider === "anthropic" ? 5 : 3, answer: lost });
    const stage = await setStage({
      provider,
      script: [breaking, breaking, breaking, kept, say("Done.")],
      tools: [echo],
    });
    const events = await stage.run();
    expect(endOf(events)).toMatchObject({ reason: "done", requests: 2 });
    expect((await answersOf(stage.session)).filter((line) => line.startsWith("cut"))).toHaveLength(3);
    expect(new Set(bodiesOf(stage).slice(0, 4)).size).toBe(1);
    expect(bodiesOf(stage).at(-1)?.split(words)).toHaveLength(2);
    await expectGoesOn(stage);
  });

  it("costs nothing in the count of the context", async () => {
    const broken = await setStage({
      provider,
      script: [fault.cut({ afterEvent: 6, answer: lost }), kept, say("Done.")],
      tools: [echo],
    });
    const whole = await setStage({ provider, script: [kept, say("Done.")], tools: [echo] });
    const events = [await broken.run(), await whole.run()];
    expect(broken.session.usage().count).toEqual(whole.session.usage().count);
    const [one, other] = events.map((all) => endOf(all));
    expect(one?.requests).toBe(other?.requests);
  });
});
