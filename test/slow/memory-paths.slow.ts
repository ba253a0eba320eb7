import { it } from "vitest";
import { tryEveryCall } from "../memory/every-call.ts";
import { tryPaths } from "../support/memory-paths.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";

it("nothing outside the memory folder is touched or returned, whatever the path", async () => {
  await reach(
    { name: "hostile paths in a memory folder", minimum: 100_000, plenty: 101_000, share: 0.25 },
    async (done) => (await tryPaths(seed + done)).tried,
  );
});

it("no call of the library, the memory tool or a dream reads or writes outside the folder", async () => {
  await reach(
    { name: "hostile paths in every call of memory", minimum: 1_000, plenty: 1_500, share: 0.1 },
    async (done) => (await tryEveryCall(seed + done)).tried,
  );
});
