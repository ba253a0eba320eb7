import { expect, it } from "vitest";
import { crashEach, failEach, fillEach, jumpEach } from "../support/whole-faults.ts";

const every = { step: 1, first: 0 };

it("a store whose every port is at work keeps what it has acknowledged, whichever operation fails", async () => {
  const [failed, crashed, jumped] = [await failEach(every), await crashEach(every), await jumpEach(every)];
  const { full, refused } = await fillEach(every);
  console.log(
    `faults of one store: reached ${failed} failures, ${crashed} crashes, ${jumped} jumps of the clock, ${full} full disks`,
  );
  expect(Math.min(failed, crashed, jumped)).toBeGreaterThan(100);
  // Some writes are no part of a promise, as the copy of a memory that people read.
  expect(refused).toBeGreaterThan(full / 2);
});
