import { expect } from "vitest";
import type { FileTree } from "../../../packages/core/src/spec/index.ts";
import { sha256Of } from "../../../packages/core/src/stores/shared/sha256.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";

const path = "a.md";
const textOf = (writer: number, at: number) => `${writer}-${at}`;

/**
 * Every handle writes one path by compare-and-swap so many times, `atOnce` of them at the same moment: each write is in
 * the history once, each handle's in order, and no number is missing. Gives how many writes were refused and made again.
 */
export async function checkTreeWriters(
  trees: readonly FileTree[],
  { times, atOnce }: { readonly times: number; readonly atOnce: number },
): Promise<number> {
  const done = trees.map(() => 0);
  const queue = trees.map((_, writer) => writer);
  let conflicts = 0;

  async function writeOnce(writer: number, seen: number): Promise<number> {
    const text = textOf(writer, done[writer] ?? 0);
    const tree = trees[writer] as FileTree;
    const written = await tree.write(path, text, { author: "user", expect: seen });
    if (!written.ok) {
      expect(written.error.code).toBe("conflict");
      conflicts += 1;
      return written.error.facts.present as number;
    }
    done[writer] = (done[writer] ?? 0) + 1;
    if ((done[writer] ?? 0) < times) queue.push(writer);
    return -1;
  }

  /** Takes handles in turn: each writes once and goes to the end. */
  async function work(): Promise<void> {
    let seen = 0;
    for (let writer = queue.shift(); writer !== undefined; writer = queue.shift()) {
      const next = writer;
      for (let expected = seen; expected >= 0; seen = Math.max(seen, expected))
        expected = await writeOnce(next, expected);
      seen += 1;
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work));
  const history = must(await (trees[0] as FileTree).history(path));
  expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
  const places = new Map(history.map(({ sha256, version }) => [sha256, version]));
  expect([history.length, places.size]).toEqual([trees.length * times, trees.length * times]);
  for (const [writer] of trees.entries()) {
    const versions = Array.from(
      { length: times },
      (_, at) => places.get(sha256Of(Buffer.from(textOf(writer, at)))) ?? 0,
    );
    expect(versions).toEqual(versions.toSorted((one, other) => one - other));
    expect(versions.includes(0)).toBe(false);
  }
  return conflicts;
}
