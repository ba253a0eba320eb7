import { describe, expect, it } from "vitest";
import type { Facts } from "../spec/index.ts";
import { onceAConfiguration } from "./setting-values.ts";

const levels = { window: 200, effective: 180, auto: 150, warning: 120, error: 140, blocking: 170 };

function counting() {
  let reads = 0;
  const read = onceAConfiguration(({ settings, thresholds }: Pick<Facts, "settings" | "thresholds">) => {
    reads += 1;
    return { keep: settings.blockingLimit, window: thresholds.window };
  });
  return { read, reads: () => reads };
}

describe("onceAConfiguration", () => {
  it("reads frozen settings once, however often they are asked for", () => {
    const { read, reads } = counting();
    const settings = Object.freeze({ blockingLimit: 3 });
    for (let at = 0; at < 100; at += 1)
      expect(read({ settings, thresholds: levels })).toEqual({ keep: 3, window: 200 });
    expect(reads()).toBe(1);
  });

  it("reads them again for another window", () => {
    const { read } = counting();
    const settings = Object.freeze({ blockingLimit: 3 });
    read({ settings, thresholds: levels });
    expect(read({ settings, thresholds: { ...levels, window: 100 } })).toEqual({ keep: 3, window: 100 });
  });

  it("reads settings every time that can be changed", () => {
    const { read } = counting();
    const settings = { blockingLimit: 3 };
    read({ settings, thresholds: levels });
    settings.blockingLimit = 4;
    expect(read({ settings, thresholds: levels })).toEqual({ keep: 4, window: 200 });
  });
});
