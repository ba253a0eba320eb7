import { describe, expect, it } from "vitest";
import { createTurns } from "../../../test/support/take-turns.ts";
import type { FileTree, TreeVersion } from "../../spec/index.ts";
import { must } from "../../testing/conformance/outcomes.ts";
import { createSeededRandom } from "../../testing/seeded-random.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../testing/virtual-disk.ts";
import { createVirtualIds } from "../../testing/virtual-ids.ts";
import { createFileTree } from "./file-tree.ts";

const folder = "/home/memory";
const seeds = Array.from({ length: Number(process.env.RACE_SEEDS ?? 40) }, (_, index) => index + Number(process.env.RACE_FROM ?? 0));

let trees = 0;
function open(disk: VirtualDisk, over: (disk: VirtualDisk) => VirtualDisk = (same) => same, durable = false): FileTree {
  trees += 1;
  const ids = createVirtualIds(`p${trees}-`);
  return createFileTree({ disk: over(disk), folder, clock: createVirtualClock(), ids, durable });
}

async function increment(tree: FileTree, author: string, times: number, acknowledged: string[]): Promise<void> {
  for (let done = 0; done < times; ) {
    const read = await tree.read("counter.md");
    const { text, version } = read.ok ? { text: read.value.text, version: read.value.version.version } : { text: "0", version: 0 };
    if (!read.ok && read.error.code !== "not-found") {
      expect(read.error.code).toBe("crashed");
      return;
    }
    const next = String(Number(text) + 1);
    const written = await tree.write("counter.md", next, { author, expect: version });
    if (written.ok) {
      acknowledged.push(next);
      done += 1;
    } else if (written.error.code === "crashed") return;
    else expect(written.error.code).toBe("conflict");
  }
}

async function textsOf(tree: FileTree, path: string, history: readonly TreeVersion[]): Promise<string[]> {
  const texts = [];
  for (const { version, removed } of history) texts.push(removed ? "(removed)" : must(await tree.read(path, version)).text);
  return texts;
}

describe("file tree with several processes", () => {
  it.each(seeds)("loses no increment and doubles none, whatever the order, seed %i", async (seed) => {
    const random = createSeededRandom(seed);
    const disk = createVirtualDisk();
    const processes = Array.from({ length: 3 }, () => disk.attach());
    let turn = 0;
    const kills = [random.below(400), random.below(400)];
    const turns = createTurns(random, () => {
      turn += 1;
      kills.forEach((at, index) => {
        if (seed % 2 === 1 && at === turn) processes[index]?.crash();
      });
    });
    const acknowledged: string[] = [];
    await turns.run(
      processes.map((own, index) => increment(open(own, turns.over as never), `writer ${index}`, 4, acknowledged)),
    );
    const tree = open(disk);
    const history = must(await tree.history("counter.md"));
    expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
    expect(history.filter(({ author }) => author === "outside")).toEqual([]);
    const texts = await textsOf(tree, "counter.md", history);
    expect(texts).toEqual(history.map((_, index) => String(index + 1)));
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(texts).toEqual(expect.arrayContaining(acknowledged));
    if (texts.length > 0) expect(Buffer.from(disk.readWhole(`${folder}/counter.md`)).toString()).toBe(texts.at(-1));
  });

  it.each(seeds)("takes no write or removal of its own for a stranger's, whatever the order, seed %i", async (seed) => {
    const random = createSeededRandom(seed + 1000);
    const disk = createVirtualDisk();
    const processes = Array.from({ length: 3 }, () => disk.attach());
    let turn = 0;
    const kill = random.below(600);
    const turns = createTurns(random, () => {
      turn += 1;
      if (turn === kill && seed % 2 === 1) processes[0]?.crash();
    });
    const act = async (tree: FileTree, index: number) => {
      for (let count = 0; count < 5; count += 1) {
        const kind = random.below(8);
        if (kind < 3) await tree.write("a.md", `${kind}`, { author: "tree" });
        else if (kind < 6) await tree.remove("a.md", { author: "tree" });
        else if (kind === 6) await tree.read("a.md");
        else await tree.list();
      }
    };
    await turns.run(processes.map((own, index) => act(open(own, turns.over as never), index)));
    const tree = open(disk);
    const history = must(await tree.history("a.md"));
    expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
    expect(history.filter(({ author }) => author === "outside")).toEqual([]);
    const newest = history.at(-1);
    const visible = disk.snapshot().get(`${folder}/a.md`);
    if (newest === undefined || newest.removed) expect(visible).toBeUndefined();
    else expect(Buffer.from(visible as Uint8Array).toString()).toBe(must(await tree.read("a.md")).text);
  });
});
