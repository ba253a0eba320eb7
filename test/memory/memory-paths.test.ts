import { expect, it } from "vitest";
import { pathsPerDisk, type RacedCall, raceFolder, secretText, tryPaths } from "../support/memory-paths.ts";
import { seed } from "../support/seed.ts";

it("nothing outside the memory folder is touched or returned, whatever the path", async () => {
  let taken = 0;
  for (let done = 0; done < 5_000; done += pathsPerDisk) {
    const tried = await tryPaths(seed + done);
    taken += tried.taken;
  }
  expect(taken).toBeGreaterThan(20);
});

const calls: readonly (readonly [string, RacedCall])[] = [
  ["read", (tree) => tree.read("notes/file.md")],
  ["read a version", (tree) => tree.read("notes/file.md", 1)],
  ["history", (tree) => tree.history("notes/file.md")],
  ["list", (tree) => tree.list()],
];

it.each(calls)(
  "%s returns nothing from outside, whenever a folder becomes a link and comes back",
  async (_, call) => {
    const { reached } = await raceFolder(call, -1, -1);
    expect(reached).toBeGreaterThan(2);
    const leaks: string[] = [];
    for (let from = 0; from <= reached; from += 1) {
      for (let until = from + 1; until <= reached + 1; until += 1) {
        const { said, leaked, isOutsideSame } = await raceFolder(call, from, until);
        if (said.includes(secretText) || leaked || !isOutsideSame) leaks.push(`${from}–${until}: ${said}`);
      }
    }
    expect(leaks).toEqual([]);
  },
);

it("a write refuses a folder that became a link before its last two operations, and never reads behind one", async () => {
  const write: RacedCall = (tree) => tree.write("notes/file.md", "new", { author: "agent" });
  const { reached } = await raceFolder(write, -1, -1);
  const strayed: number[] = [];
  for (let from = 0; from <= reached; from += 1) {
    const { isOutsideSame, leaked } = await raceFolder(write, from, Number.POSITIVE_INFINITY);
    expect(leaked, `operation ${from}`).toBe(false);
    if (!isOutsideSame) strayed.push(from);
  }
  // Between its last look and its rename: node offers no way to name a folder but by its path.
  expect(strayed.every((from) => from > reached / 2) && strayed.length <= 2, String(strayed)).toBe(true);
});
