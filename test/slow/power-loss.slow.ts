import { it } from "vitest";
import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { seededChoices } from "../../packages/testing/src/virtual-power-loss.ts";
import { type Acknowledged, expectAcknowledged, type Plan, survivors, work } from "../support/crash-work.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

const partials = [0, 1, 40, 500, Number.POSITIVE_INFINITY];
const lossesPerCrash = 8;

function randomPlan(random: ReturnType<typeof createSeededRandom>): Plan {
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + random.below(most) }, make);
  return some(3, () => some(4, () => some(3, () => "x".repeat(random.below(2000)))));
}

it("power loss at any operation loses nothing acknowledged at fsync", async () => {
  await reach(
    { name: "power losses of a random log", minimum: 20_000, plenty: 20_000, share: 0.15 },
    async (done) => {
      const random = createSeededRandom(seed + done);
      const plan = randomPlan(random);
      const rehearsal = createVirtualDisk();
      await work(rehearsal, "fsync", { ids: [], created: false }, plan);
      const disk = createVirtualDisk();
      disk.crashAt(random.below(rehearsal.operations.length), {
        partial: partials[random.below(partials.length)],
      });
      const acknowledged: Acknowledged = { ids: [], created: false };
      await work(disk, "fsync", acknowledged, plan);
      for (let loss = 0; loss < lossesPerCrash; loss += 1) {
        const next = disk.afterPowerLoss(seededChoices(seed + done + loss));
        expectAcknowledged(await survivors(next), acknowledged);
      }
      return lossesPerCrash;
    },
  );
});
