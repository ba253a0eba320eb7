import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { createNodeDisk } from "../../packages/core/src/stores/files/disk/node-disk.ts";
import { createFileTree } from "../../packages/core/src/stores/files/trees/file-tree.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { startChild } from "./child.ts";
import { wholeHistory } from "./tree-schedules.ts";

export interface CountOptions {
  readonly folder: string;
  readonly writers: number;
  /** Increments of each writer. */
  readonly times: number;
  /** How many further writers are killed at some moment of their work. */
  readonly killed: number;
  readonly durable: boolean;
}

/** Real processes raise one counter by compare-and-swap, some are killed: none lost, none doubled, no gap. */
export async function countInProcesses({
  folder,
  writers,
  times,
  killed,
  durable,
}: CountOptions): Promise<number> {
  const tree = createFileTree({ ...createRuntime(), disk: createNodeDisk(), folder });
  must(await tree.write("counter.md", "0", { author: "test" }));
  const start = () => startChild("tree-writer.mjs", [folder, String(times), String(durable)]);
  const lasting = Array.from({ length: writers }, start);
  const ended = lasting.map((child) => once(child.process, "close"));
  const doomed = Array.from({ length: killed }, start);
  await Promise.all(
    doomed.map(async (child, index) => {
      await child.printed(1 + index * 2);
      await child.kill();
    }),
  );
  await Promise.all(ended);
  const lines = [...lasting, ...doomed].flatMap((child) => child.lines());
  expect(lines.filter((line) => !/^\d+ \d+$/.test(line))).toEqual([]);
  const acknowledged = lines.map((line) => line.split(" ").map(Number));
  expect(acknowledged.length).toBeGreaterThanOrEqual(writers * times + killed);

  const history = await wholeHistory(tree, "counter.md");
  expect(history.map(({ text }) => Number(text))).toEqual(history.map((_, index) => index));
  expect(history.slice(1).every(({ author }) => author === "writer")).toBe(true);
  expect(acknowledged.filter(([version, number]) => version !== Number(number) + 1)).toEqual([]);
  expect(new Set(acknowledged.map(([version]) => version)).size).toBe(acknowledged.length);
  const unacknowledged = history.length - 1 - acknowledged.length;
  expect(unacknowledged).toBeGreaterThanOrEqual(0);
  expect(unacknowledged).toBeLessThanOrEqual(killed);
  expect(await readFile(`${folder}/counter.md`, "utf8")).toBe(String(history.length - 1));
  return acknowledged.length;
}
