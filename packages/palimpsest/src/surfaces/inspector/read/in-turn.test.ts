import { describe, expect, it } from "vitest";
import { inTurn } from "./session-overview.ts";

describe("inTurn", () => {
  it("runs one at a time, and one more for all who ask meanwhile", async () => {
    const ends: (() => void)[] = [];
    let running = 0;
    let most = 0;
    const ask = inTurn(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return ends.length;
    });
    const first = ask();
    await Promise.resolve();
    await Promise.resolve();
    const [second, third] = [ask(), ask()];
    ends[0]?.();
    expect(await first).toBe(1);
    while (ends.length < 2) await Promise.resolve();
    ends[1]?.();
    expect([await second, await third, most]).toEqual([2, 2, 1]);
  });

  it("goes on after one that failed", async () => {
    let calls = 0;
    const ask = inTurn(async () => {
      calls += 1;
      if (calls === 1) throw new Error("once");
      return calls;
    });
    await expect(ask()).rejects.toThrow("once");
    expect(await ask()).toBe(2);
  });
});
