import { describe, expect, it } from "vitest";
import { factsOf } from "../../../../../../test/layers/compaction-support.ts";
import type { Facts } from "../../../spec/index.ts";
import { isLeftToServer, nativeCompactionOf, serverTriggerTokens } from "./decide-compaction.ts";

const able = {
  ...factsOf().capabilities,
  contextManagement: true,
  nativeCompaction: true,
  serverCompaction: true,
};
const facts = (native: unknown, capabilities: Partial<Facts["capabilities"]> = {}, window = 200_000) =>
  factsOf({
    window,
    settings: { compaction: { native } as object },
    capabilities: { ...able, ...capabilities },
  });
const counted = (tokens: number) => ({ count: { tokens, source: "usage" as const } });

describe("who compacts", () => {
  it.each([
    ["server", facts("server")],
    ["on-demand", facts("on-demand")],
    ["off", facts("off")],
    ["off", facts(undefined)],
    ["off", facts("yes")],
    ["off", facts("server", { serverCompaction: false })],
    ["off", facts("server", { contextManagement: false })],
    ["off", facts("on-demand", { nativeCompaction: false })],
    ["on-demand", facts("on-demand", { serverCompaction: false, contextManagement: false }, 32_000)],
  ])("is %s by what was set and what the model can", (expected, given) => {
    expect(nativeCompactionOf(given)).toBe(expected);
  });

  it("is the engine in a window in which the API would come too late", () => {
    expect(nativeCompactionOf(facts("server", {}, 60_000))).toBe("off");
    expect(serverTriggerTokens(facts("server", {}, 60_000))).toBe(50_000);
  });

  it("is the API until no request can be made any more", () => {
    const given = facts("server");
    const { auto, blocking } = given.thresholds;
    expect([0, auto, blocking - 1, blocking].map((tokens) => isLeftToServer(counted(tokens), given))).toEqual(
      [true, true, true, false],
    );
    expect(isLeftToServer(counted(0), facts("on-demand"))).toBe(false);
  });
});
