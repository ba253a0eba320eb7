import { it } from "vitest";
import { tryPaths } from "../support/memory-paths.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

it("nothing outside the memory folder is touched or returned, whatever the path", async () => {
  await reach(
    { name: "hostile paths in a memory folder", minimum: 100_000, plenty: 101_000, share: 0.25 },
    async (done) => (await tryPaths(seed + done)).tried,
  );
});
