import assert from "node:assert/strict";
import type { LearnedStore } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

/** The contract of every learned store. `create` gives two stores over one new storage, as two processes have them. */
export function learnedStoreConformance(
  create: () => Promise<{ readonly first: LearnedStore; readonly second: LearnedStore }>,
): readonly ConformanceCase[] {
  return [
    {
      name: "has nothing before something was learned",
      async run() {
        assert.equal(must(await (await create()).first.read("rates")), undefined);
      },
    },
    {
      name: "gives back what was written, to others too, and keeps names apart",
      async run() {
        const { first, second } = await create();
        must(await first.write("rates", { a: [1, 2, { b: "ü" }] }));
        must(await first.write("gaps", [3]));
        for (const store of [first, second]) {
          assert.deepEqual(must(await store.read("rates")), { a: [1, 2, { b: "ü" }] });
          assert.deepEqual(must(await store.read("gaps")), [3]);
        }
      },
    },
    {
      name: "holds one writer's whole value after many wrote at once",
      async run() {
        const { first, second } = await create();
        const values = Array.from({ length: 20 }, (_, index) => ({ index, text: `${index}`.repeat(1000) }));
        const writes = values.map((value, index) => [first, second][index % 2]?.write("rates", value));
        for (const written of await Promise.all(writes)) if (written) must(written);
        const held = must(await second.read("rates")) as { readonly index: number };
        assert.deepEqual(held, values[held.index]);
      },
    },
    {
      name: "refuses names that are paths",
      async run() {
        const { first } = await create();
        for (const name of ["../rates", "a/b", "", ".hidden", "A".repeat(100)]) {
          assert.equal(refused(await first.write(name, 1)), "invalid-input");
          assert.equal(refused(await first.read(name)), "invalid-input");
        }
      },
    },
  ];
}
