import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../testing/src/virtual-disk.ts";
import { fail } from "../spec/index.ts";
import { gapsName, pausesName } from "./learned.ts";
import type { RelayPort } from "./loop-port.ts";
import { openSession } from "./open-session.ts";

const usage = { input: 0, output: 10, cacheRead: 1000, cacheCreation: 0 };

const minute = 60_000;

interface Life {
  readonly gapMs: number;
  readonly requests: number;
  readonly settings?: { readonly cacheTtl?: "auto" | "5m" | "1h" };
  readonly isInteractive?: boolean;
  readonly relay?: RelayPort;
}

/** A session whose requests are so far apart, the lifetime that the next one asks for, and what was stored. */
async function nextSession({ gapMs, requests, settings = {}, isInteractive = false, relay }: Life) {
  const disk = createVirtualDisk();
  const clock = createVirtualClock();
  const open = (id: string) =>
    openSession({
      store: createVirtualStore({ disk, clock }),
      clock,
      id,
      settings,
      isInteractive,
      ...(relay && { relay }),
    });
  const session = await open("one");
  for (let request = 0; request < requests; request += 1) {
    await session.add({ role: "user", content: "Go on." });
    await session.prepare();
    await session.add({ role: "assistant", id: `msg_${request}`, content: "Well.", usage });
    await clock.advance(gapMs);
  }
  await session.close();
  const next = await open("two");
  await next.add({ role: "user", content: "Begin. ".repeat(2_000) });
  const { request } = await next.prepare();
  await next.close();
  const { learned } = createVirtualStore({ disk, clock });
  const read = async (name: string) => must(await (learned?.read(name) ?? Promise.reject()));
  return {
    ttl: JSON.stringify(request).match(/"ttl":"(\w+)"/)?.[1],
    gaps: await read(gapsName),
    pauses: await read(pausesName),
  };
}

const none = { counts: [0, 0, 0, 0, 0, 0, 0], ends: 0 };

describe("gaps learned by a session", () => {
  it("are kept by length, and pauses by kind of use with how often sessions ended", async () => {
    expect(await nextSession({ gapMs: 7 * minute, requests: 4 })).toMatchObject({
      gaps: { version: 1, short: 0, middle: 3, long: 0 },
      pauses: { version: 1, interactive: none, unattended: { counts: [3, 0, 0, 0, 0, 0, 0], ends: 1 } },
    });
    expect(await nextSession({ gapMs: 20_000, requests: 4, isInteractive: true })).toMatchObject({
      gaps: { version: 1, short: 3, middle: 0, long: 0 },
      pauses: { version: 1, interactive: { ...none, ends: 1 }, unattended: none },
    });
  });

  it("count a conversation that another program sends once it has gone on with it", async () => {
    const relay: RelayPort = { open: () => undefined, kept: () => fail("not-found", "Nothing is held.") };
    const relayed = async (requests: number) =>
      (await nextSession({ gapMs: 7 * minute, requests, relay })).pauses;
    expect(await relayed(1)).toBeUndefined();
    const counts = [3, 0, 0, 0, 0, 0, 0];
    expect(await relayed(4)).toMatchObject({ relayed: { counts, ends: 1 }, interactive: none });
  });

  it("choose the lifetime of the next session with its first request", async () => {
    expect((await nextSession({ gapMs: 20_000, requests: 3 })).ttl).toBe("5m");
    expect((await nextSession({ gapMs: 7 * minute, requests: 30 })).ttl).toBe("1h");
    expect((await nextSession({ gapMs: 20_000, requests: 3, isInteractive: true })).ttl).toBe("1h");
    expect((await nextSession({ gapMs: 300 * minute, requests: 40, isInteractive: true })).ttl).toBe("5m");
  });

  it("give way to what was set", async () => {
    const seldom = { gapMs: 7 * minute, requests: 30 };
    expect((await nextSession({ ...seldom, settings: { cacheTtl: "5m" } })).ttl).toBe("5m");
    expect((await nextSession({ ...seldom, settings: { cacheTtl: "auto" } })).ttl).toBe("1h");
    expect((await nextSession({ gapMs: 1, requests: 3, settings: { cacheTtl: "1h" } })).ttl).toBe("1h");
  });
});
