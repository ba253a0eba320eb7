import { expect, it } from "vitest";
import { countInMemories } from "../support/count-in-memories.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const writers = 16;
const times = 1000;
const killed = 4;
/** As many as writers: they meet in the folder and its index; on one file they meet in `file-tree.slow.ts`. */
const topics = 16;

it(`${writers} processes × ${times} writes in one memory folder: none lost, none doubled`, async () => {
  const dir = await temporaryFolder();
  const counted = await countInMemories({ dir, writers, times, topics, killed, isMasked: false });
  console.log(
    `writes to one memory folder: reached ${counted.toLocaleString("en")} (minimum ${(writers * times).toLocaleString("en")})`,
  );
  expect(counted).toBeGreaterThanOrEqual(writers * times);
});
