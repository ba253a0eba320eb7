import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../testing/src/virtual-disk.ts";
import type { Event, MessageInput } from "../spec/index.ts";
import { featuresOf } from "../view/tokens/index.ts";
import { loadLearnedRates, ratesName, savedEveryObservations } from "./learned.ts";
import { openSession } from "./open-session.ts";

const clock = createVirtualClock();
const model = "claude-opus-4-5";
const words = "word ".repeat(2000);
const user = (content: string): MessageInput => ({ role: "user", content });

/** A session whose every 10,000 bytes turned out to be 5,000 tokens. */
async function learn(id: string, disk = createVirtualDisk()) {
  const session = await openSession({ store: createVirtualStore({ disk }), clock, id, model });
  let cacheRead = 1000;
  for (let turn = 0; turn < 12; turn += 1) {
    await session.add(user(words));
    cacheRead += 5000;
    const usage = { input: 0, output: 10, cacheRead, cacheCreation: 0 };
    await session.add({ role: "assistant", id: `msg_${turn}`, content: "Well.", usage });
  }
  await session.close();
  return disk;
}

describe("rates learned by a session", () => {
  it("are known to the next one from its first word", async () => {
    const disk = await learn("one");
    const store = createVirtualStore({ disk });
    const session = await openSession({ store, clock, id: "two", model });
    await session.add(user(words));
    const { tokens, source } = session.usage().count;
    expect(source).toBe("calibrated");
    expect(Math.abs(tokens - 5000)).toBeLessThan(700);
    await session.close();
  });

  it("are learned from rounds of tools too, where their results are sent whole", async () => {
    const session = await openSession({ store: createVirtualStore(), clock, id: "one", model });
    await session.add(user("Go."));
    let cacheRead = 1000;
    for (let turn = 0; turn < 12; turn += 1) {
      await session.prepare();
      cacheRead += 5000;
      const usage = { input: 0, output: 10, cacheRead, cacheCreation: 0 };
      const calls = [{ type: "tool_use", id: `t${turn}`, name: "Bash", input: {} }];
      await session.add({ role: "assistant", id: `msg_${turn}`, content: calls, usage });
      const result = { type: "tool_result", tool_use_id: `t${turn}`, content: words };
      await session.add({ role: "user", content: [result] });
    }
    const before = session.usage().count.tokens;
    await session.add(user(words));
    expect(Math.abs(session.usage().count.tokens - before - 5000)).toBeLessThan(700);
    await session.close();
  });

  it("are not learned from the same log twice", async () => {
    const disk = await learn("one");
    const rates = createVirtualStore({ disk }).learned;
    const before = must(await (rates?.read(ratesName) ?? Promise.reject()));
    const again = await openSession({
      store: createVirtualStore({ disk }),
      clock,
      id: "one",
      resume: true,
    });
    await again.close();
    expect(must(await (rates?.read(ratesName) ?? Promise.reject()))).toEqual(before);
  });

  it("that are damaged are not used, which is said and costs nothing else", async () => {
    const disk = await learn("one");
    disk.writeWhole(`/home/learned/${ratesName}.json`, Buffer.from('{"version":1,"models":{"m":3}}'));
    const events: Event[] = [];
    const store = createVirtualStore({ disk });
    const session = await openSession({ store, clock, id: "two", onEvent: (event) => events.push(event) });
    expect(events).toMatchObject([
      { type: "session-open" },
      { type: "setting-ignored", message: expect.stringContaining("calibration of m is damaged") },
    ]);
    await session.close();
  });

  it("are stored while a session runs, and those of another session are kept", async () => {
    const store = createVirtualStore().learned;
    const one = await loadLearnedRates(store);
    const other = await loadLearnedRates(store);
    for (let seen = 0; seen < savedEveryObservations; seen += 1) one.observe("a", featuresOf(words), 5000);
    one.saveIfDue();
    other.observe("b", featuresOf(words), 2000);
    await one.settle();
    await other.settle();
    const { calibration } = await loadLearnedRates(store);
    expect(Object.keys(calibration.state().models).sort()).toEqual(["a", "b"]);
    expect(calibration.rates("a")).toEqual(one.calibration.rates("a"));
  });

  it("are learned without a place to keep them, too", async () => {
    const rates = await loadLearnedRates(undefined);
    for (let seen = 0; seen < 40; seen += 1) rates.observe("a", featuresOf(words), 5000);
    rates.saveIfDue();
    await rates.settle();
    expect(rates.calibration.rates("a")).toBeDefined();
  });
});
