import { describe, expect, it } from "vitest";
import { seed } from "../support/seed.ts";
import { crashEach, failEach, fillEach, jumpEach } from "../support/whole-faults.ts";

/** The slow suite takes every operation. */
const chosen = { step: 9, first: seed };

describe("a store whose every port is at work keeps all it has acknowledged", () => {
  it("when the n-th operation of the disk fails", async () => {
    expect(await failEach(chosen)).toBeGreaterThan(10);
  });

  it("when its process dies in the n-th operation", async () => {
    expect(await crashEach(chosen)).toBeGreaterThan(10);
  });

  it("when the disk is full at a write, and goes on once there is room", async () => {
    const { full, refused } = await fillEach({ ...chosen, step: 3 });
    expect([full > 5, refused > 0]).toEqual([true, true]);
  });

  it("and does all its work when the clock jumps before the n-th operation", async () => {
    expect(await jumpEach(chosen)).toBeGreaterThan(10);
  });
});
