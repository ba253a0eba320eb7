import { describe, it } from "vitest";
import { seed } from "../../../../../../test/support/seed.ts";
import {
  changeInTurns,
  countInTurns,
  disturbInTurns,
  editInTurns,
  losePowerInTurns,
} from "../../../../../../test/support/tree-schedules.ts";

const schedules = 25;

/** Some of the orders in which the operations of several processes may happen; the slow suite tries many more. */
async function tryAll(run: (seed: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < schedules; index += 1) {
    await run(seed + index).catch((cause: unknown) => {
      throw new Error(`seed ${seed + index}`, { cause });
    });
  }
}

describe("file tree, whatever the order of operations", () => {
  it("loses no increment of a counter and doubles none, also when processes die", () => tryAll(countInTurns));
  it("takes nothing of its own for a stranger's, also when a process dies", () => tryAll(changeInTurns));
  it("keeps what was acknowledged through power loss, and takes nothing of its own for a stranger's", () =>
    tryAll(losePowerInTurns));
  it("makes a version of every edit by a person", () => tryAll(editInTurns));
  it("loses nothing of its own and takes nothing twice, whatever a person does", () =>
    tryAll(disturbInTurns));
});
