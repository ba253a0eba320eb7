import { expect, it } from "vitest";
import { seed } from "../../../../../../test/support/seed.ts";
import { createTurns } from "../../../../../../test/support/take-turns.ts";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { must } from "../../../../../testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../../../../testing/src/seeded-random.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { createRuntime } from "../../../runtime.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { createFileTree } from "../trees/file-tree.ts";
import { createFileConsolidateLock } from "./consolidate-lock.ts";

const folder = "/home/memory";
const startMs = Date.UTC(2026, 0, 5, 12);

/** Several processes want the lock at once, one disk operation at a time, in an order chosen by chance. */
async function race(number: number, { hasDead }: { readonly hasDead: boolean }) {
  const clock = createVirtualClock({ startMs });
  const disk = createVirtualDisk({ clock });
  const first = createVirtualProcesses();
  const random = createSeededRandom(number);
  const ids = (label: string) => createVirtualIds(`${label}-`);
  const before = createFileConsolidateLock({ disk, folder, clock, processes: first, ids: ids("first") });
  must(await must(await before.acquire()).complete());
  if (hasDead) {
    const dead = disk.attach();
    dead.crashAt(random.below(30));
    const processes = first.spawn();
    await createFileConsolidateLock({ disk: dead, folder, clock, processes, ids: ids("dead") }).acquire();
    processes.exit();
  }
  clock.jump(1000);
  const turns = createTurns(random);
  const locks = ["a", "b", "c"].map((label) =>
    createFileConsolidateLock({
      disk: turns.over(disk.attach()),
      folder,
      clock,
      processes: first.spawn(),
      ids: ids(label),
    }),
  );
  const results = locks.map((lock) => lock.acquire());
  await turns.run(results);
  const outcomes = (await Promise.all(results)).map((result) => (result.ok ? "acquired" : result.error.code));
  return { outcomes: outcomes.sort(), last: must(await before.lastConsolidatedMs()) };
}

it.each([false, true])(
  "is acquired by exactly one of several processes at once (after a death: %s)",
  async (hasDead) => {
    for (let round = 0; round < 300; round += 1) {
      expect({ round, ...(await race(seed + round, { hasDead })) }).toEqual({
        round,
        outcomes: ["acquired", "held", "held"],
        last: startMs,
      });
    }
  },
);

it("keeps milliseconds on the machine's own disk, and no tree sees its file", async () => {
  const real = await temporaryFolder();
  const disk = createNodeDisk();
  const { ids, processes } = createRuntime();
  const clock = createVirtualClock({ startMs: startMs + 123 });
  const lock = createFileConsolidateLock({ disk, folder: real, clock, ids, processes });
  for (let round = 0; round < 40; round += 1) {
    must(await must(await lock.acquire()).complete());
    const last = clock.now();
    expect(must(await lock.lastConsolidatedMs())).toBe(last);
    clock.jump(61_037);
    const held = must(await lock.acquire());
    expect([held.previousMs, must(await lock.lastConsolidatedMs())]).toEqual([last, last]);
    must(await held.abandon());
    expect(must(await lock.lastConsolidatedMs())).toBe(last);
  }
  must(await lock.acquire());
  const problems: unknown[] = [];
  const tree = createFileTree({
    disk,
    folder: real,
    clock,
    ids,
    onProblem: (problem) => problems.push(problem),
  });
  must(await tree.write("a.md", "a", { author: "agent" }));
  expect([must(await tree.list()).map(({ path }) => path), problems]).toEqual([["a.md"], []]);
});
