import { describe, it } from "vitest";
import { backgroundWorkConformance, createVirtualClock } from "../../packages/testing/src/index.ts";
import { createVirtualWork } from "./virtual-work.ts";

const hoursMs = 10 * 3_600_000;

describe("background work in memory", () => {
  const create = async () => {
    const clock = createVirtualClock();
    const work = createVirtualWork(clock);
    return { work, run: work.run, skipWaits: () => clock.advance(hoursMs) };
  };
  for (const { name, run } of backgroundWorkConformance(create)) it(name, run);
});
