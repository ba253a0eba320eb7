import { expect } from "vitest";
import type { FileTree, Result, TreeVersion } from "../../packages/core/src/spec/index.ts";
import { createFileTree } from "../../packages/core/src/stores/files/trees/file-tree.ts";
import { freshMs } from "../../packages/core/src/stores/files/trees/settle-tree-file.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { seededChoices } from "../../packages/testing/src/virtual-power-loss.ts";
import { createTurns } from "./take-turns.ts";

export const treeFolder = "/home/memory";

const startMs = Date.UTC(2026, 0);
let opened = 0;

/** A tree of its own process; the ids of two trees never meet, and its clock is ahead of that before it. */
export function openVirtualTree(
  disk: VirtualDisk,
  options: Partial<Parameters<typeof createFileTree>[0]> = {},
): FileTree {
  opened += 1;
  const ids = createVirtualIds(`p${opened}-`);
  const clock = createVirtualClock({ startMs: startMs + (opened % 1000) * 2 * freshMs });
  return createFileTree({ disk, folder: treeFolder, clock, ids, ...options });
}

export function visibleText(disk: VirtualDisk, path: string): string | null {
  const content = disk.snapshot().get(`${treeFolder}/${path}`);
  return content === undefined ? null : Buffer.from(content).toString();
}

/** All versions with their texts, `null` for removals; every number from 1 is there, and every version can be read. */
export async function wholeHistory(
  tree: FileTree,
  path: string,
): Promise<readonly (TreeVersion & { readonly text: string | null })[]> {
  const history = must(await tree.history(path));
  expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
  const versions = [];
  for (const version of history) {
    const text = version.removed ? null : must(await tree.read(path, version.version)).text;
    versions.push({ ...version, text });
  }
  return versions;
}

/** The texts of a history in which the tree's own processes made every version. */
async function ownTexts(tree: FileTree, path: string): Promise<readonly (string | null)[]> {
  const history = await wholeHistory(tree, path);
  expect(history.filter(({ author }) => author === "outside")).toEqual([]);
  return history.map(({ text }) => text);
}

function expectCrashed(result: Result<unknown>, ...others: readonly string[]): void {
  if (!result.ok) expect(["crashed", ...others]).toContain(result.error.code);
}

/** Raises a counter by compare-and-swap; ends early when its process has died. */
async function count(tree: FileTree, times: number, acknowledged: string[]): Promise<void> {
  for (let done = 0; done < times; ) {
    const read = await tree.read("counter.md");
    expectCrashed(read, "not-found");
    if (!read.ok && read.error.code === "crashed") return;
    const next = String(Number(read.ok ? read.value.text : 0) + 1);
    const expected = read.ok ? read.value.version.version : 0;
    const written = await tree.write("counter.md", next, { author: "tree", expect: expected });
    expectCrashed(written, "conflict");
    if (written.ok) {
      acknowledged.push(next);
      done += 1;
    } else if (written.error.code === "crashed") return;
  }
}

/** Three processes count together, two of which may die: none lost, none doubled. */
export async function countInTurns(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const disk = createVirtualDisk();
  const processes = Array.from({ length: 3 }, () => disk.attach());
  const deaths = processes.slice(1).map(() => (seed % 2 === 0 ? -1 : random.below(500)));
  let turn = 0;
  const turns = createTurns(random, () => {
    const dying = deaths.indexOf(turn++);
    if (dying >= 0) processes[dying]?.crash();
  });
  const acknowledged: string[] = [];
  const trees = processes.map((own) => openVirtualTree(own, { disk: turns.over(own), durable: false }));
  await turns.run(trees.map((tree) => count(tree, 4, acknowledged)));
  const tree = openVirtualTree(disk);
  const texts = await ownTexts(tree, "counter.md");
  expect(texts).toEqual(texts.map((_, index) => String(index + 1)));
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(texts).toEqual(expect.arrayContaining(acknowledged));
  expect(visibleText(disk, "counter.md")).toBe(texts.at(-1) ?? null);
}

/** Three processes write, remove, read and list; nothing of theirs is ever taken for a stranger's. */
export async function changeInTurns(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const disk = createVirtualDisk();
  const processes = Array.from({ length: 3 }, () => disk.attach());
  const death = seed % 2 === 0 ? -1 : random.below(600);
  let turn = 0;
  const turns = createTurns(random, () => {
    if (turn++ === death) processes[0]?.crash();
  });
  const trees = processes.map((own) => openVirtualTree(own, { disk: turns.over(own), durable: false }));
  await turns.run(trees.map((tree) => change(tree, 5, random.below)));
  const tree = openVirtualTree(disk);
  const texts = await ownTexts(tree, "a.md");
  expect(visibleText(disk, "a.md")).toBe(texts.at(-1) ?? null);
}

async function change(tree: FileTree, times: number, below: (bound: number) => number): Promise<void> {
  for (let done = 0; done < times; done += 1) {
    const kind = below(8);
    if (kind < 3) expectCrashed(await tree.write("a.md", String(kind), { author: "tree" }));
    else if (kind < 6) expectCrashed(await tree.remove("a.md", { author: "tree" }), "not-found");
    else if (kind === 6) expectCrashed(await tree.read("a.md"), "not-found");
    else expectCrashed(await tree.list());
  }
}

/** Two processes write durably until power is lost: what was acknowledged is there, and nothing else is. */
export async function losePowerInTurns(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const disk = createVirtualDisk();
  const processes = [disk.attach(), disk.attach()];
  const death = random.below(900);
  let turn = 0;
  const turns = createTurns(random, () => {
    if (turn++ === death) for (const own of processes) own.crash();
  });
  const acknowledged: { readonly version: number; readonly text: string | null }[] = [];
  async function work(tree: FileTree, name: string): Promise<void> {
    for (let done = 0; done < 5; done += 1) {
      const text = random.below(4) === 0 ? null : `${name} ${done}`;
      const author = "tree";
      const made = await (text === null
        ? tree.remove("a.md", { author })
        : tree.write("a.md", text, { author }));
      expectCrashed(made, "not-found");
      if (made.ok) acknowledged.push({ version: made.value.version, text });
    }
  }
  const trees = processes.map((own) => openVirtualTree(own, { disk: turns.over(own) }));
  await turns.run(trees.map((tree, index) => work(tree, `process ${index}`)));
  for (let loss = 0; loss < 4; loss += 1) {
    const after = disk.afterPowerLoss(seededChoices(seed + loss));
    const tree = openVirtualTree(after);
    const texts = await ownTexts(tree, "a.md");
    for (const { version, text } of acknowledged) expect(texts[version - 1]).toBe(text);
    expect(visibleText(after, "a.md")).toBe(texts.at(-1) ?? null);
  }
}

const maxEdits = 8;

/** Whether a version file holds the text. */
function isInHistory(disk: VirtualDisk, text: string): boolean {
  return [...disk.snapshot()].some(
    ([path, content]) => /\/\d+$/.test(path) && Buffer.from(content).toString().endsWith(`\n${text}`),
  );
}

/**
 * A person edits the visible file in place while three processes change it. Each edit is made once the one before it
 * is in the history; all of them end up there, each once.
 */
export async function editInTurns(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const disk = createVirtualDisk();
  const edits: string[] = [];
  const turns = createTurns(random, () => {
    if (edits.length === maxEdits || random.below(40) !== 0) return;
    if (visibleText(disk, "a.md") === null || !edits.every((edit) => isInHistory(disk, edit))) return;
    edits.push(`person ${edits.length}`);
    disk.writeWhole(`${treeFolder}/a.md`, edits.at(-1) ?? "");
  });
  const processes = Array.from({ length: 3 }, () => disk.attach());
  const trees = processes.map((own) => openVirtualTree(own, { disk: turns.over(own), durable: false }));
  await turns.run(trees.map((tree) => change(tree, 6, random.below)));
  const tree = openVirtualTree(disk);
  const texts = (await wholeHistory(tree, "a.md")).map(({ text }) => text);
  expect(texts.filter((text) => text?.startsWith("person"))).toEqual(edits);
  expect(visibleText(disk, "a.md")).toBe(texts.at(-1) ?? null);
}

/**
 * A person replaces, removes and brings back the visible file while two processes write it. Some of that may fall
 * into the instant before a rename and be lost; but nothing of the tree's is, and nothing is ever taken twice.
 */
export async function disturbInTurns(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const disk = createVirtualDisk();
  const file = `${treeFolder}/a.md`;
  let made = 0;
  const turns = createTurns(random, () => {
    if (made === maxEdits || random.below(50) !== 0) return;
    made += 1;
    const kind = random.below(3);
    if (kind === 0) void disk.remove(file);
    else if (kind === 1) void disk.rename(file, `${treeFolder}/.moved`);
    else {
      disk.writeWhole(`${treeFolder}/.new`, `person ${made}`);
      void disk.rename(`${treeFolder}/.new`, file);
    }
  });
  const acknowledged: TreeVersion[] = [];
  async function work(tree: FileTree, name: string): Promise<void> {
    for (let done = 0; done < 6; done += 1) {
      const written = await tree.write("a.md", `${name} ${done}`, { author: name });
      acknowledged.push(must(written));
    }
  }
  const processes = [disk.attach(), disk.attach()];
  const trees = processes.map((own) => openVirtualTree(own, { disk: turns.over(own), durable: false }));
  await turns.run(trees.map((tree, index) => work(tree, `process ${index}`)));
  const history = await wholeHistory(openVirtualTree(disk), "a.md");
  const own = history.filter(({ author }) => author !== "outside");
  expect(own.map(({ text, ...version }) => version)).toEqual(
    acknowledged.toSorted((one, other) => one.version - other.version),
  );
  const texts = history.flatMap(({ text }) => text ?? []);
  expect(new Set(texts).size).toBe(texts.length);
  expect(visibleText(disk, "a.md")).toBe(history.at(-1)?.text ?? null);
}
