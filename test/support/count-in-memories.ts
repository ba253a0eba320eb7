import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { startChild } from "./child.ts";
import { memoryText } from "./memory-texts.ts";

export interface MemoryCountOptions {
  readonly dir: string;
  readonly writers: number;
  /** Increments of each writer. */
  readonly times: number;
  /** Memories that the increments are spread over. */
  readonly topics: number;
  /** Default true: secrets are looked for in each write, which takes most of its time. */
  readonly isMasked?: boolean;
  /** How many further writers are killed at some moment of their work. */
  readonly killed: number;
}

/** Real processes raise numbers in memories, some are killed: none lost, none doubled, and the index is in step. */
export async function countInMemories(options: MemoryCountOptions): Promise<number> {
  const { dir, writers, times, topics, killed, isMasked = true } = options;
  const memory = await openMemory({ dir, durable: false });
  const paths = Array.from({ length: topics }, (_, index) => `topic-${index}.md`);
  for (const path of paths)
    await memory.write(path, memoryText({ name: path, description: "over 0", body: "0" }));
  const start = (_: unknown, index: number) =>
    startChild("memory-writer.mjs", [
      dir,
      String(times),
      String(topics),
      String(index),
      isMasked ? "masked" : "unmasked",
    ]);
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
  expect(lines.filter((line) => !/^topic-\d+\.md \d+ \d+$/.test(line))).toEqual([]);
  expect(lines.length).toBeGreaterThanOrEqual(writers * times + killed);
  expect(new Set(lines).size).toBe(lines.length);

  let made = 0;
  for (const path of paths) {
    const history = await memory.history(path);
    expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
    const numbers: number[] = [];
    for (const { version } of history) numbers.push(Number((await memory.read(path, version)).memory?.body));
    expect(numbers).toEqual(history.map((_, index) => index));
    const own = lines
      .filter((line) => line.startsWith(`${path} `))
      .map((line) => line.split(" ").map(Number));
    expect(own.filter(([, version, number]) => version !== Number(number) + 1)).toEqual([]);
    expect(await readFile(`${dir}/${path}`, "utf8")).toMatch(new RegExp(`\\n${history.length - 1}\\n$`));
    made += history.length - 1;
  }
  expect(made - lines.length).toBeGreaterThanOrEqual(0);
  expect(made - lines.length).toBeLessThanOrEqual(killed);
  // A killed writer may have left the index behind; the next write brings it in step.
  for (const path of paths) await memory.write(path, (await memory.read(path)).text);
  expect(await memory.reindex()).toBe(false);
  return lines.length;
}
