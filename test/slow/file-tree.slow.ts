import { it } from "vitest";
import { countInProcesses } from "../support/count-in-processes.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  changeInTurns,
  countInTurns,
  disturbInTurns,
  editInTurns,
  losePowerInTurns,
} from "../support/tree-schedules.ts";

const writers = 16;
/** In a memory folder it is 16 × 1,000: `memory-writes.slow.ts`. Here all of them meet on one file. */
const times = 250;
const killed = 8;

it("a file tree keeps its promises whatever the order of operations", async () => {
  const schedules = [countInTurns, changeInTurns, losePowerInTurns, editInTurns, disturbInTurns];
  await reach(
    { name: "orders of operations on a file tree", minimum: 500, plenty: 50_000, share: 0.03 },
    async (done) => {
      for (const run of schedules) {
        await run(seed + done).catch((cause: unknown) => {
          throw new Error(`${run.name}, seed ${seed + done}`, { cause });
        });
      }
      return schedules.length;
    },
  );
});

it(`${writers} processes × ${times} writes on one file: none lost, none doubled`, async () => {
  await countInProcesses({ folder: await temporaryFolder(), writers, times, killed, durable: false });
});
