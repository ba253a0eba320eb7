import { expect, it } from "vitest";
import { countInMemories } from "./support/count-in-memories.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

/** The slow suite writes with 16 processes, 1,000 times each. */
const writers = 4;
const times = 60;

it("loses and doubles no write of several processes to one memory folder, some of which are killed", async () => {
  const dir = await temporaryFolder();
  const counted = await countInMemories({ dir, writers, times, topics: 2, killed: 2 });
  expect(counted).toBeGreaterThanOrEqual(writers * times);
});
