import { stat } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { createRuntime } from "../packages/core/src/runtime.ts";
import { createFileConsolidateLock } from "../packages/core/src/stores/files/consolidate-lock/consolidate-lock.ts";
import { createNodeDisk } from "../packages/core/src/stores/files/disk/node-disk.ts";
import { must, refused } from "../packages/testing/src/conformance/outcomes.ts";
import { startChild } from "./support/child.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

async function startConsolidator(folder: string) {
  const child = startChild("consolidator.mjs", [folder]);
  onTestFinished(() => child.kill());
  await child.printed(1);
  return {
    kill: () => child.kill(),
    async say(word: "acquire" | "complete" | "abandon") {
      const before = child.lines().length;
      child.process.stdin?.write(`${word}\n`);
      await child.printed(before + 1);
      return child.lines().at(-1);
    },
  };
}

it("lets one of several processes dream, and the next one after it", async () => {
  const folder = await temporaryFolder();
  const children = await Promise.all([1, 2, 3, 4].map(() => startConsolidator(folder)));
  const answers = await Promise.all(children.map((child) => child.say("acquire")));
  expect([...answers].sort()).toEqual(["acquired", "refused held", "refused held", "refused held"]);
  const [winner, other] = [answers.indexOf("acquired"), answers.indexOf("refused held")].map(
    (index) => children[index],
  );
  expect(await winner?.say("complete")).toBe("ended");
  expect(await other?.say("acquire")).toBe("acquired");
});

it("has the time before when a dreaming process is killed, and is free at once", async () => {
  const folder = await temporaryFolder();
  const lock = createFileConsolidateLock({ ...createRuntime(), disk: createNodeDisk(), folder });
  must(await must(await lock.acquire()).complete());
  const last = must(await lock.lastConsolidatedMs());
  const child = await startConsolidator(folder);
  expect(await child.say("acquire")).toBe("acquired");
  expect(refused(await lock.acquire())).toBe("held");
  await child.kill();
  expect(Math.round((await stat(`${folder}/.consolidate-lock`)).mtimeMs)).toBe(last);
  expect(must(await lock.restore())).toBe("restored");
  expect(must(await lock.lastConsolidatedMs())).toBe(last);
});
