import { rm } from "node:fs/promises";
import { expect, it } from "vitest";
import { createRuntime } from "../packages/core/src/runtime.ts";
import { openRecall } from "../packages/core/src/session/recall-index/index.ts";
import { openFileStore } from "../packages/core/src/stores/files/index.ts";
import { must } from "../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../packages/testing/src/seeded-random.ts";
import { startChild } from "./support/child.ts";
import { seed } from "./support/seed.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

async function openAt(home: string) {
  const store = must(await openFileStore({ home, project: "test-00000000" }));
  const { clock, ids } = createRuntime();
  return openRecall({ store, disk: store.disk, folder: `${store.layout.root}/recall`, clock, ids });
}

/** Each word that a process has taken in is found before any further update, and all once there was one. */
async function checkFound(home: string, words: readonly string[]): Promise<void> {
  const recall = await openAt(home);
  for (const word of words) {
    const { hits, problems } = must(await recall.search(word));
    expect([hits.map(({ snippet }) => snippet), problems]).toEqual([[`common ${word}`], []]);
  }
}

/** All that is found, as an index made from scratch finds it. */
async function checkAsFromScratch(home: string): Promise<readonly string[]> {
  const answer = async () => {
    const recall = await openAt(home);
    const { problems } = must(await recall.update());
    const { hits } = must(await recall.search("common", { limit: 10_000 }));
    const found = hits.map(({ session, entry, snippet }) => `${session} ${entry} ${snippet}`);
    return { problems, found: found.toSorted() };
  };
  const kept = await answer();
  await rm(`${home}/projects/test-00000000/recall`, { recursive: true });
  expect(kept).toEqual(await answer());
  return kept.found;
}

it("keeps every word that a killed process has taken in, and goes on behind it", async () => {
  const home = await temporaryFolder();
  const random = createSeededRandom(seed);
  for (let kill = 0; kill < 20; kill += 1) {
    const child = startChild("recall-writer.mjs", [home, `k${kill}x`, "1000"]);
    await child.printed(1 + random.below(12));
    await child.kill();
    expect(child.lines().filter((line) => line.startsWith("failed"))).toEqual([]);
    await checkFound(home, child.lines());
  }
  const store = must(await openFileStore({ home, project: "test-00000000" }));
  let said = 0;
  for (const { session } of must(await store.logs.list()))
    must(
      await store.logs.scan(session, ({ kind }) => {
        if (kind === "message") said += 1;
      }),
    );
  expect(await checkAsFromScratch(home)).toHaveLength(said);
});

it("takes in what several processes say at once, one of them killed", async () => {
  const home = await temporaryFolder();
  const children = ["a", "b", "c"].map((name) => startChild("recall-writer.mjs", [home, `${name}x`, "15"]));
  const doomed = startChild("recall-writer.mjs", [home, "dx", "1000"]);
  await doomed.printed(3);
  await doomed.kill();
  await Promise.all(children.map((child) => child.printed(16)));
  const words = [...children, doomed].flatMap((child) => child.lines());
  expect(words.filter((line) => line.startsWith("failed"))).toEqual([]);
  await checkFound(home, words);
  await checkAsFromScratch(home);
});
