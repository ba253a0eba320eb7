import { expect, it } from "vitest";
import { raceFiles, type Swapped } from "../support/race-files.ts";

const minimum = 20_000;
const batch = 1_000;
const all: readonly Swapped[] = ["folder", "parent", "file"];

it(`${minimum} writes and edits stay inside while another process swaps folders, parents and files for links`, async () => {
  let calls = 0;
  let done = 0;
  let swaps = 0;
  for (let round = 0; calls < minimum; round += 1) {
    const swapped = all[round % all.length] ?? "folder";
    const report = await raceFiles({ swapped, calls: batch });
    expect(report.landed).toEqual([]);
    calls += batch;
    swaps += report.swaps;
    for (const count of Object.values(report.done)) done += count;
  }
  console.log(
    `writes beside swapped links: reached ${calls} (minimum ${minimum}), ${done} done, ${swaps} swaps, 0 outside`,
  );
  expect(done).toBeGreaterThan(minimum / 20);
});
