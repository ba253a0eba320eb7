import { expect } from "vitest";
import type {
  FileTree,
  Result,
  TreeVersion,
  TreeWriteOptions,
} from "../../../packages/core/src/spec/index.ts";
import { createFileTree } from "../../../packages/core/src/stores/files/trees/file-tree.ts";
import type { Database } from "../../../packages/core/src/stores/postgres/database.ts";
import { createPostgresTree } from "../../../packages/core/src/stores/postgres/trees/file-tree.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { createSeededRandom } from "../../../packages/testing/src/seeded-random.ts";
import { createVirtualClock, createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../packages/testing/src/virtual-disk.ts";

const paths = [
  "a.md",
  "b/c.md",
  "b/d é.md",
  "世界.md",
  "\u{1F600}.md",
  "\uFF21.md",
  "../x",
  ".hidden",
  "e\u0301.md",
];
const texts = ["", "one", "two\n", "a\0b", "\ufeffx\r\n", "\ud800", "ü".repeat(2000)];
const authors = ["user", "agent", "dream", "", "a\ud800\0"];
const steps = 16;

type Command = (tree: FileTree) => Promise<Result<unknown>>;

/**
 * One random sequence of commands, from the handles of two processes, on files and on Postgres: every outcome is the
 * same, and so is what is there in the end. Gives how many commands were compared.
 */
export async function checkTreeSequence(database: Database, project: string, seed: number): Promise<number> {
  const { next, pick } = choices(seed);
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0) });
  const disk = createVirtualDisk({ clock });
  const files = ["a", "b"].map((label) =>
    createFileTree({ disk, folder: "/home/memory", clock, ids: createVirtualIds(label) }),
  );
  const rows = ["a", "b"].map((label) =>
    createPostgresTree({
      database,
      project,
      tree: "memory",
      clock,
      ids: createVirtualIds(`${project}-${label}`),
    }),
  );

  function choose(): Command {
    const path = pick(paths);
    const expected = pick([undefined, undefined, 0, 1, 2, 3, 4, next(12), -1]);
    const given: TreeWriteOptions = {
      author: pick(authors),
      ...(next(2) === 0 && { session: pick(["s1", "s\udfff"]) }),
      ...(next(2) === 0 && { source: "m1" }),
      ...(expected !== undefined && { expect: expected }),
    };
    const text = pick(texts);
    const version = pick([undefined, undefined, 1, 2, 3, next(10), 0.5]);
    const removed = next(2) === 0;
    return pick<Command>([
      (tree) => tree.write(path, text, given),
      (tree) => tree.write(path, text, given),
      (tree) => tree.write(path, text, { author: "user" }),
      (tree) => tree.remove(path, given),
      (tree) => tree.remove(path, { author: "user" }),
      (tree) => tree.read(path, version),
      (tree) => tree.list({ removed }),
      (tree) => tree.history(path),
    ]);
  }

  for (let step = 0; step < steps; step += 1) {
    await clock.advance(5000);
    const command = choose();
    const handle = next(2);
    const [expected, got] = await Promise.all(
      [files, rows].map(async (trees) => outcomeOf(await command(trees[handle] as FileTree))),
    );
    expect(got, `seed ${seed}, step ${step}`).toEqual(expected);
  }
  const [inFiles, inRows] = await Promise.all([files[0], rows[1]].map((tree) => wholeTree(tree as FileTree)));
  expect(inRows, `seed ${seed}, in the end`).toEqual(inFiles);
  return steps;
}

/** Messages name places, which are not the same. */
function outcomeOf(result: Result<unknown>): unknown {
  if (result.ok) return { value: result.value };
  return { code: result.error.code, facts: result.error.facts };
}

async function wholeTree(tree: FileTree): Promise<unknown> {
  const whole = [];
  for (const head of must(await tree.list({ removed: true })))
    for (const version of must(await tree.history(head.path))) whole.push(await withText(tree, version));
  return whole;
}

async function withText(tree: FileTree, version: TreeVersion): Promise<unknown> {
  return { version, text: outcomeOf(await tree.read(version.path, version.version)) };
}

function choices(seed: number) {
  const random = createSeededRandom(seed);
  const next = (below: number) => random.below(below);
  return { next, pick: <T>(from: readonly T[]): T => from[next(from.length)] as T };
}
