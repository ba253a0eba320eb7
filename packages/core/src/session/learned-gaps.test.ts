import { describe, expect, it } from "vitest";
import { createVirtualStore } from "../../../../test/support/virtual-store.ts";
import { must } from "../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../testing/src/virtual-disk.ts";
import { minGaps } from "../view/economics/request-gaps.ts";
import { gapsName } from "./learned.ts";
import { openSession } from "./open-session.ts";

const usage = { input: 0, output: 10, cacheRead: 1000, cacheCreation: 0 };

/** A session whose requests are so far apart, and the time to live of the next one. */
async function nextTtl(gapMs: number, requests: number, settings = {}) {
  const disk = createVirtualDisk();
  const clock = createVirtualClock();
  const open = (id: string) =>
    openSession({ store: createVirtualStore({ disk, clock }), clock, id, settings });
  const session = await open("one");
  for (let request = 0; request < requests; request += 1) {
    await session.add({ role: "user", content: "Go on." });
    await session.add({ role: "assistant", id: `msg_${request}`, content: "Well.", usage });
    await clock.advance(gapMs);
  }
  await session.close();
  const next = await open("two");
  await next.add({ role: "user", content: "Begin." });
  const { request } = await next.prepare();
  await next.close();
  const stored = must(
    await (createVirtualStore({ disk, clock }).learned?.read(gapsName) ?? Promise.reject()),
  );
  return { ttl: JSON.stringify(request).match(/"ttl":"(\w+)"/)?.[1], stored };
}

describe("gaps learned by a session", () => {
  it("choose the time to live of the next one", async () => {
    expect(await nextTtl(20_000, minGaps + 1)).toEqual({
      ttl: "5m",
      stored: { version: 1, short: minGaps, middle: 0, long: 0 },
    });
    expect((await nextTtl(600_000, minGaps + 1)).ttl).toBe("1h");
    expect((await nextTtl(600_000, minGaps)).ttl).toBe("5m");
  });

  it("give way to what was set", async () => {
    expect((await nextTtl(600_000, minGaps + 1, { cacheTtl: "5m" })).ttl).toBe("5m");
    expect((await nextTtl(20_000, 3, { cacheTtl: "1h" })).ttl).toBe("1h");
  });
});
