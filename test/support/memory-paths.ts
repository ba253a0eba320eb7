import { expect } from "vitest";
import type { Disk, FileTree, Result } from "../../packages/core/src/spec/index.ts";
import { createFileTree } from "../../packages/core/src/stores/files/trees/file-tree.ts";
import { toTreePath } from "../../packages/core/src/stores/shared/trees/tree-path.ts";
import { createSeededRandom, type SeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";

export const memoryFolder = "/home/memory";
const secretFolder = "/home/secret";
export const secretText = "what nobody may read";

/** Pieces that have led out of a folder somewhere: dots in every spelling, separators, ends of text, odd letters. */
const pieces = [
  "..",
  ".",
  "...",
  "%2e%2e",
  "%252e%252e",
  "%2E.",
  ".%2e",
  "%c0%ae",
  "\uff0e\uff0e",
  "\u2024\u2024",
  "\u2025",
  "..;",
  "/",
  "//",
  "\\",
  "%2f",
  "%252f",
  "%5c",
  "%255c",
  "\uff0f",
  "\u2215",
  "\u2044",
  "\u29f8",
  "\u2216",
  ":",
  "::$DATA",
  "\0",
  "%00",
  "\u2400",
  "\n",
  "\r",
  "\t",
  "\u001b",
  "\u200b",
  "\u202e",
  "\ufeff",
  "\u00ad",
  "\u0301",
  "\ud800",
  "\udc00",
  "~",
  "~root",
  "$HOME",
  "-",
  "-rf",
  " ",
  "  ",
  "*",
  "?",
  "|",
  "<",
  ">",
  '"',
  "'",
  "`",
  "#",
  "&",
  ";",
  "(",
  "secret",
  "file.md",
  "memory",
  "home",
  "etc",
  "passwd",
  "linked",
  "link.md",
  "deep",
  "deep/linked",
  "loop",
  "dangling",
  ".history",
  ".HISTORY",
  ".git",
  "copies",
  "1",
  "present.md",
  "a",
  "b.md",
  "C:",
  "C:\\",
  "CON",
  "nul",
  "file://",
  "/home/secret/file.md",
  "../secret/file.md",
  "..\\secret\\file.md",
  "%2e%2e%2fsecret%2ffile.md",
  "/proc/self/environ",
  "ſ",
  "K",
  "ﬁ",
  "é",
  "e\u0301",
  "😀",
];

/** So many of them, from the first, make a path a bad one. */
const sharpPieces = 46;

/** A path that somebody might try, mostly a bad one. */
export function hostilePath(random: SeededRandom): string {
  const kind = random.below(20);
  if (kind === 0) return "a".repeat(200 + random.below(400));
  if (kind === 1) return `${"d/".repeat(random.below(200))}x`;
  if (kind === 2) return `present.md${pieces[random.below(pieces.length)]}`;
  const count = 1 + random.below(6);
  const parts = Array.from({ length: count }, () => pieces[random.below(pieces.length)]);
  if (random.below(3) > 0) parts.push(pieces[random.below(sharpPieces)]);
  return parts.join(random.below(2) === 0 ? "/" : "");
}

const behindLinks = /^(?:link\.md|linked|deep\/linked|loop|dangling)(?:\/|$)/;

function plantedDisk(): VirtualDisk {
  const disk = createVirtualDisk();
  disk.writeWhole(`${secretFolder}/file.md`, secretText);
  disk.writeWhole(`${secretFolder}/a`, secretText);
  disk.writeWhole(`${memoryFolder}/present.md`, "present");
  disk.writeWhole(`${memoryFolder}/deep/own.md`, "own");
  disk.plantLink(`${memoryFolder}/link.md`, `${secretFolder}/file.md`);
  disk.plantLink(`${memoryFolder}/linked`, secretFolder);
  disk.plantLink(`${memoryFolder}/deep/linked`, "../../secret");
  disk.plantLink(`${memoryFolder}/loop`, "loop");
  disk.plantLink(`${memoryFolder}/dangling`, `${secretFolder}/new`);
  return disk;
}

export function openTree(disk: Disk, folder = memoryFolder): FileTree {
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0) });
  return createFileTree({ disk, folder, clock, ids: createVirtualIds(), durable: false });
}

const own = { author: "agent" } as const;

/** Everything a tree can be asked about a path. */
const questions: readonly ((tree: FileTree, path: string) => Promise<Result<unknown>>)[] = [
  (tree, path) => tree.read(path),
  (tree, path) => tree.read(path, 1),
  (tree, path) => tree.history(path),
  (tree, path) => tree.write(path, "mine", { ...own, expect: 0 }),
  (tree, path) => tree.write(path, "mine again", own),
  (tree, path) => tree.remove(path, own),
];

/** Asks everything where that costs nothing, since the path is refused at once, else one thing; says what was said. */
async function ask(tree: FileTree, path: string, random: SeededRandom): Promise<string> {
  const one = random.below(questions.length);
  const isThorough = random.below(20) === 0;
  const asked = toTreePath(path).ok && !isThorough ? questions.slice(one, one + 1) : questions;
  const answers: unknown[] = [];
  for (const question of asked) {
    const answer = await question(tree, path);
    answers.push(answer.ok ? answer.value : answer.error.code);
  }
  return JSON.stringify(answers);
}

function outsideOf(disk: VirtualDisk): string {
  const files = [...disk.snapshot()].filter(([path]) => !path.startsWith(`${memoryFolder}/`));
  return JSON.stringify(files.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
}

/** So many paths on one disk; then it is looked at, and a new one is taken. */
export const pathsPerDisk = 500;

/** Tries hostile paths in every call: nothing outside is touched, nothing from there comes back. */
export async function tryPaths(seed: number): Promise<{ readonly tried: number; readonly taken: number }> {
  const random = createSeededRandom(seed);
  const disk = plantedDisk();
  const before = outsideOf(disk);
  const tree = openTree(disk);
  let taken = 0;
  for (let tried = 0; tried < pathsPerDisk; tried += 1) {
    const path = hostilePath(random);
    const said = await ask(tree, path, random);
    expect(said, JSON.stringify(path)).not.toContain(secretText);
    if (said.includes('"sha256"')) taken += 1;
  }
  const listed = await tree.list();
  const paths = listed.ok ? listed.value.map(({ path }) => path) : ["not listed"];
  expect(paths.filter((path) => behindLinks.test(path) || path === "not listed")).toEqual([]);
  expect(outsideOf(disk)).toBe(before);
  const strayed = disk.operations.filter(
    ({ path }) => path !== memoryFolder && !path.startsWith(`${memoryFolder}/`),
  );
  expect(strayed).toEqual([]);
  const climbing = disk.operations.filter(({ path }) => /\/\.{1,2}(?:\/|$)|\0|\\/.test(path));
  expect(climbing).toEqual([]);
  return { tried: pathsPerDisk, taken };
}

/** A disk on which somebody changes things right before some of the operations. */
function disturbed(disk: VirtualDisk, disturb: (operation: number) => Promise<void>): Disk {
  let operation = 0;
  const handler: ProxyHandler<VirtualDisk> = {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...given: readonly unknown[]) => {
        await disturb(operation++);
        return member.apply(target, given);
      };
    },
  };
  return new Proxy(disk, handler);
}

export type RacedCall = (tree: FileTree) => Promise<unknown>;

/**
 * Makes one call while a folder gives way to a link right before operation `from`, and comes back right before `until`.
 * Gives what was said, and what is outside afterwards.
 */
export async function raceFolder(call: RacedCall, from: number, until: number) {
  const disk = createVirtualDisk();
  disk.writeWhole(`${secretFolder}/file.md`, secretText);
  disk.writeWhole(`${memoryFolder}/notes/file.md`, "mine");
  const before = outsideOf(disk);
  await openTree(disk).list();
  const quiet = disk.attach();
  let reached = -1;
  const tree = openTree(
    disturbed(disk, async (operation) => {
      reached = operation;
      if (operation === from) {
        await quiet.rename(`${memoryFolder}/notes`, `${memoryFolder}/kept`);
        quiet.plantLink(`${memoryFolder}/notes`, secretFolder);
      } else if (operation === until) {
        await quiet.remove(`${memoryFolder}/notes`);
        await quiet.rename(`${memoryFolder}/kept`, `${memoryFolder}/notes`);
      }
    }),
  );
  const said = JSON.stringify(await call(tree));
  const inside = [...quiet.snapshot()].filter(([path]) => path.startsWith(`${memoryFolder}/`));
  const leaked = inside.some(([, bytes]) => Buffer.from(bytes).includes(secretText));
  return { said, reached, leaked, isOutsideSame: outsideOf(quiet) === before };
}
