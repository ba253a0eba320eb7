import { expect, it } from "vitest";
import { countInProcesses } from "./support/count-in-processes.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** The slow suite counts with 16 writers and 1,000 increments. */
const writers = 8;
const times = 50;
const killed = 4;

it("loses and doubles no increment of several processes, some of which are killed", async () => {
  const folder = await temporaryFolder();
  const counted = await countInProcesses({ folder, writers, times, killed, durable: false });
  expect(counted).toBeGreaterThanOrEqual(writers * times);
});
