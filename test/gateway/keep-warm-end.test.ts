import { describe, expect, it } from "vitest";

import { fault, otherwise, say, when } from "../../packages/testing/src/index.ts";

import { clientsOf, startGateway } from "./gateway-stage.ts";
import {
  createClient,
  isRead,
  minute,
  passIn,
  pausedClient,
  reasonsIn,
  spentIn,
  warmStage,
  withKeepWarm,
} from "./keep-warm-stage.ts";

describe("when it ends", () => {
  it("with the client's next request, from which on it is counted anew", async () => {
    const one = await warmStage();
    const client = await pausedClient(one);
    await one.pass(4 * minute);
    await client.ask("And now?");
    await one.gateway.idle();
    await one.pass(4 * minute);
    expect(one.reads()).toEqual([]);
    await one.pass(minute);
    expect(one.reads().map(({ body }) => JSON.stringify(body).includes("And now?"))).toEqual([true]);
  });

  it("where the expected saving does, long before a day has passed", async () => {
    const one = await warmStage(withKeepWarm({ mostReads: 10_000, dollarsPerSession: 1_000 }));
    await pausedClient(one);
    await one.pass(6 * 60 * minute);
    expect(reasonsIn(one)).toEqual(["the expected saving is no longer worth the read"]);
    expect(one.reads().length).toBeGreaterThan(1);
    expect(one.clock.sleeping).toBe(0);
  });

  it("before the budget could be exceeded by a read that misses, over pauses and gateways", async () => {
    const dollarsPerSession = 0.15;
    const options = withKeepWarm({ mostReads: 50, dollarsPerSession });
    const one = await warmStage(options);
    const client = await pausedClient(one);
    for (let turn = 0; turn < 4; turn += 1) {
      await one.pass(40 * minute);
      await client.ask(`Turn ${turn}.`);
      await one.gateway.idle();
    }
    await one.pass(40 * minute);
    expect(spentIn(one)).toBeGreaterThan(0);
    expect(spentIn(one)).toBeLessThanOrEqual(dollarsPerSession);
    expect(reasonsIn(one).at(-1)).toMatch("budget");
    const before = one.reads().length;
    await one.gateway.close();
    const { clock, home, emulator } = one;
    const again = await startGateway({ upstream: emulator.url, home, cwd: home, clock, ...options });
    const later = createClient(clientsOf(again.gateway.url).anthropic);
    later.messages.push(...client.messages);
    await later.ask("Are you there?");
    await again.gateway.idle();
    await passIn({ clock, gateway: again.gateway }, 40 * minute);
    expect(one.reads()).toHaveLength(before);
  });

  it("without one read more than the budget could bear if every one of them missed", async () => {
    const dollarsPerSession = 0.2;
    const one = await warmStage(withKeepWarm({ mostReads: 50, dollarsPerSession }));
    one.emulator.onRequest(() => one.emulator.reset());
    const client = await pausedClient(one);
    for (let turn = 0; turn < 6; turn += 1) {
      await one.pass(10 * minute);
      await client.ask(`Turn ${turn}.`);
      await one.gateway.idle();
    }
    expect(one.of("keep-warm").every(({ isHit }) => !isHit)).toBe(true);
    expect(spentIn(one)).toBeGreaterThan(0);
    expect(spentIn(one)).toBeLessThanOrEqual(dollarsPerSession);
  });

  it("with the day's budget, which holds for reads too", async () => {
    const settings = { keepWarm: { enabled: true }, budget: { dollarsPerDay: 0.01 } };
    const one = await warmStage({ settings });
    await pausedClient(one);
    await one.pass(20 * minute);
    expect(one.reads()).toEqual([]);
    expect(reasonsIn(one)).toHaveLength(1);
  });

  it("after a read that did not find the prompt", async () => {
    const one = await warmStage();
    await pausedClient(one);
    one.emulator.reset();
    await one.pass(30 * minute);
    expect(one.of("keep-warm").map(({ isHit }) => isHit)).toEqual([false]);
    expect(reasonsIn(one)).toEqual(["a read did not find the prompt in the cache"]);
    expect(one.gateway.status().keepWarm).toMatchObject({ reads: 1, misses: 1 });
  });

  it.each([
    ["401", fault.error({ status: 401, type: "authentication_error", message: "no" } as never), "401"],
    ["429", fault.rateLimited(), "429"],
    ["500", fault.serverError(), "500"],
    ["529", fault.overloaded(), "529"],
  ])("after an answer of %s to a read, without another try", async (_status, wrong, status) => {
    const script = [when(isRead, wrong), otherwise(say("Fine, thank you."))];
    const one = await warmStage({}, { script });
    await pausedClient(one);
    await one.pass(30 * minute);
    expect(one.reads()).toHaveLength(1);
    expect(reasonsIn(one)).toEqual([`The provider answered a read with ${status}.`]);
    expect(one.gateway.status()).toMatchObject({
      keepWarm: { reads: 0, dollars: 0 },
      sessions: [{ isKeptWarm: false }],
    });
  });

  it("after a read whose answer nobody heard: the most that it can have cost counts", async () => {
    const script = [when(isRead, fault.cut()), otherwise(say("Fine, thank you."))];
    const one = await warmStage({}, { script });
    await pausedClient(one);
    await one.pass(30 * minute);
    expect(one.reads()).toHaveLength(1);
    expect(reasonsIn(one)).toEqual(["The answer to a read did not come whole, or cannot be read."]);
    const [{ keepWarmDollars = 0 } = {}] = one.gateway.status().sessions;
    const hit = await warmStage(withKeepWarm({ mostReads: 1 }));
    await pausedClient(hit);
    await hit.pass(10 * minute);
    expect(keepWarmDollars).toBeGreaterThan(spentIn(hit) * 5);
  });

  it("where the machine has slept for longer than the cache was kept", async () => {
    const one = await warmStage();
    await pausedClient(one);
    one.clock.jump(60 * minute);
    await one.pass(5 * minute);
    expect(one.reads()).toEqual([]);
    expect(reasonsIn(one)).toEqual(["The cache is cold already: a read would write all of it."]);
  });

  it("where other conversations need the room, and with the gateway", async () => {
    const one = await warmStage({ limits: { openConversations: 1 }, ...withKeepWarm({}) });
    await pausedClient(one);
    expect(one.clock.sleeping).toBe(1);
    await createClient(one.anthropic).ask("Something else.");
    await one.gateway.idle();
    await one.pass(10 * minute);
    expect([one.reads(), one.clock.sleeping]).toEqual([[], 0]);
    const other = await warmStage();
    await pausedClient(other);
    await other.gateway.close();
    await other.clock.advance(60 * minute);
    expect([other.reads(), other.clock.sleeping]).toEqual([[], 0]);
  });

  it("takes nine tenths of the lifetime where the interval that is set is no shorter", async () => {
    const one = await warmStage(withKeepWarm({ intervalMinutes: 30, mostReads: 1 }));
    await pausedClient(one, "5m");
    await one.pass(4 * minute);
    expect(one.reads()).toEqual([]);
    await one.pass(minute);
    expect(one.reads()).toHaveLength(1);
    const shorter = await warmStage(withKeepWarm({ intervalMinutes: 3, mostReads: 1 }));
    await pausedClient(shorter, "5m");
    await shorter.pass(3 * minute);
    expect(shorter.reads()).toHaveLength(1);
  });
});
