import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import type { MemoryDoctorReport, MemoryFinding } from "../../packages/core/src/spec/index.ts";
import { memoryText } from "../support/memory-texts.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createCleanFolder, createDoctoredFolder, presentFiles } from "./doctored-folder.ts";

/** By hand: nothing masks, judges or indexes it on the way. */
async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function examine(bodies: ReadonlyMap<string, string>): Promise<MemoryDoctorReport> {
  const [dir, cwd] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(cwd, ".git"));
  for (const file of presentFiles) await put(join(cwd, file), "");
  for (const [path, body] of bodies) await put(join(dir, path), memoryText({ name: path, body }));
  const memory = await openMemory({ dir, durable: false, cwd });
  await memory.reindex();
  return memory.doctor();
}

/** Clean folders, each of another seed: there is nothing to find. */
export async function examineClean(seed: number, folders: number, perFolder: number): Promise<void> {
  let memories = 0;
  const alarms: MemoryFinding[] = [];
  for (let index = 0; index < folders; index += 1) {
    const {
      findings,
      unchecked,
      memories: count,
    } = await examine(createCleanFolder(seed + index, perFolder));
    expect(unchecked).toEqual([]);
    memories += count;
    alarms.push(...findings);
  }
  console.log(`doctor: ${alarms.length} false alarms in ${memories} clean memories`);
  expect(alarms).toEqual([]);
  expect(memories).toBe(folders * perFolder);
}

/** Folders with something of everything, each of another seed: nearly all is found, and nothing else. */
export async function examineDoctored(seed: number, folders: number, perVariant: number): Promise<void> {
  const tally = new Map<string, { planted: number; found: number }>();
  const count = (name: string, isFound: boolean) => {
    const { planted, found } = tally.get(name) ?? { planted: 0, found: 0 };
    tally.set(name, { planted: planted + 1, found: found + (isFound ? 1 : 0) });
  };
  const strange: MemoryFinding[] = [];
  for (let index = 0; index < folders; index += 1) {
    const { bodies, planted } = createDoctoredFolder(seed + 1000 + index, perVariant);
    const { findings } = await examine(bodies);
    const concerns = (one: MemoryFinding, path: string) => one.path === path || one.other === path;
    for (const { kind, variant, path } of planted) {
      const isFound = findings.some((one) => one.kind === kind && concerns(one, path));
      count(kind, isFound);
      count(`  ${kind}, ${variant}`, isFound);
    }
    strange.push(
      ...findings.filter(
        (one) => !planted.some(({ kind, path }) => kind === one.kind && concerns(one, path)),
      ),
    );
  }
  const lines = [...tally].map(([name, { planted, found }]) => `${name}: ${found} of ${planted}`);
  console.log(`doctor, found of what was planted:\n${lines.toSorted().join("\n")}`);
  console.log(`doctor: ${strange.length} findings that nobody planted`);
  expect(strange).toEqual([]);
  for (const [name, { planted, found }] of tally)
    if (!name.startsWith(" ")) expect(found / planted, name).toBeGreaterThanOrEqual(0.95);
  expect([...tally.keys()].filter((name) => !name.startsWith(" ")).sort()).toEqual([
    "duplicate",
    "near-duplicate",
    "recall-loop",
    "secret",
    "stale-path",
  ]);
}
