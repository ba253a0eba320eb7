import { expect } from "vitest";
import { indexMarker } from "../../packages/core/src/memory/build-index.ts";
import { parseMemory } from "../../packages/core/src/memory/parse-memory.ts";
import { openMemory } from "../../packages/core/src/session/memory/open-memory.ts";
import { type MemoryFolder, PalimpsestError } from "../../packages/core/src/spec/index.ts";
import { toTreePath } from "../../packages/core/src/stores/shared/trees/tree-path.ts";
import { createCopyTools } from "../../packages/palimpsest/src/loop/dream/copy-tools.ts";
import { createMemoryCopy } from "../../packages/palimpsest/src/loop/dream/memory-copy.ts";
import { answerMemory } from "../../packages/palimpsest/src/tools/memory/index.ts";
import { createSeededRandom, type SeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { hostilePath } from "../support/memory-paths.ts";
import { memoryText } from "../support/memory-texts.ts";
import { createVirtualStore, virtualHome, virtualProject } from "../support/virtual-store.ts";

const folder = `${virtualHome}/projects/${virtualProject}/memory`;
const secretFolder = `${virtualHome}/secret`;
export const secretText = "what nobody may read";
const secretFile = memoryText({ name: "Secret", body: secretText });
const mine = memoryText({ body: "My own words." });

function plantedDisk(): VirtualDisk {
  const disk = createVirtualDisk();
  for (const name of ["file.md", "a", "a.md", "present.md", "quarantine/file.md"])
    disk.writeWhole(`${secretFolder}/${name}`, secretFile);
  disk.writeWhole(`${folder}/present.md`, mine);
  disk.writeWhole(`${folder}/deep/own.md`, mine);
  disk.plantLink(`${folder}/link.md`, `${secretFolder}/file.md`);
  disk.plantLink(`${folder}/linked`, secretFolder);
  disk.plantLink(`${folder}/deep/linked`, "../../../../secret");
  disk.plantLink(`${folder}/quarantine`, `${secretFolder}/quarantine`);
  disk.plantLink(`${folder}/loop`, "loop");
  disk.plantLink(`${folder}/dangling`, `${secretFolder}/new`);
  return disk;
}

type Call = (path: string) => Promise<unknown>;

function callsOf(memory: MemoryFolder): Readonly<Record<string, Call>> {
  return {
    read: (path) => memory.read(path),
    "read a version": (path) => memory.read(path, 1),
    write: (path) => memory.write(path, mine),
    remove: (path) => memory.remove(path),
    history: (path) => memory.history(path),
    diff: (path) => memory.diff(path),
    blame: (path) => memory.blame(path),
    revert: (path) => memory.revert({ path }),
    confirm: (path) => memory.confirm(path),
    reject: (path) => memory.reject(path),
    import: (path) => memory.import({ files: [{ path, text: mine }] }, { replace: true, trust: "trusted" }),
    "import in quarantine": (path) => memory.import({ files: [{ path: `quarantine/${path}`, text: mine }] }),
  };
}

/** What has no path, and looks at everything. */
const lookers: Readonly<Record<string, (memory: MemoryFolder) => Promise<unknown>>> = {
  list: (memory) => memory.list(),
  "list quarantine": (memory) => memory.list({ quarantine: true }),
  survey: (memory) => memory.survey(),
  "whole history": (memory) => memory.history(),
  index: (memory) => memory.index(),
  "load the index": (memory) => memory.loadIndex(),
  reindex: (memory) => memory.reindex(),
  search: (memory) => memory.search("what nobody may read secret", { limit: 50 }),
  doctor: (memory) => memory.doctor(),
  export: (memory) => memory.export(),
};

async function saidBy(call: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call()) ?? "";
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause)) throw cause;
    return JSON.stringify([cause.code, cause.message, cause.facts]);
  }
}

const isOutside = (path: string) => !path.startsWith(`${folder}/`);
const outsideOf = (disk: VirtualDisk) =>
  JSON.stringify(
    [...disk.snapshot()]
      .filter(([path]) => path.startsWith(secretFolder) || path.startsWith("/etc"))
      .map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  );

export const pathsPerFolder = 250;

export interface Tried {
  readonly tried: number;
  readonly byCall: ReadonlyMap<string, number>;
}

/**
 * Tries hostile paths in every call that takes one: the library, the memory tool and the tools of a dream. Nothing outside
 * is touched, nothing from there comes back. A path that is refused by its letters goes to all calls, another one to some.
 */
export async function tryEveryCall(seed: number): Promise<Tried> {
  const random = createSeededRandom(seed);
  const disk = plantedDisk();
  const before = outsideOf(disk);
  const store = createVirtualStore({ disk });
  const memory = await openMemory({ store, maskSecrets: false, judgeMemory: false, search: false });
  const tree = store.tree("memory");
  const by = { author: "agent", session: "one", source: "test" };
  const tool = (command: string, input: object) =>
    answerMemory({ tree, indexMarker, by }, { command, ...input });
  const shown = (path: string) => ({ path: `/memories/${path}` });
  const snapshot = [{ path: "present.md", text: mine, version: 1, at: "" }];
  const parse = (path: string, text: string) => {
    const parsed = parseMemory(text, { path, version: 0, at: "", author: "agent" });
    return parsed.ok ? parsed.value : null;
  };
  const copy = createMemoryCopy(snapshot as never, parse as never, () => {});
  const dream = (name: string, input: object) =>
    createCopyTools(copy)
      .find((one) => one.name === name)
      ?.run?.(input, {} as never) as Promise<unknown>;
  const calls: Readonly<Record<string, Call>> = {
    ...callsOf(memory),
    "tool view": (path) => tool("view", shown(path)),
    "tool create": (path) => tool("create", { ...shown(path), file_text: mine }),
    "tool str_replace": (path) => tool("str_replace", { ...shown(path), old_str: "what", new_str: "mine" }),
    "tool insert": (path) => tool("insert", { ...shown(path), insert_line: 0, insert_text: "mine\n" }),
    "tool delete": (path) => tool("delete", shown(path)),
    "tool rename from": (path) =>
      tool("rename", { old_path: `/memories/${path}`, new_path: "/memories/moved.md" }),
    "tool rename to": (path) =>
      tool("rename", { old_path: "/memories/present.md", new_path: `/memories/${path}` }),
    "dream read": (path) => dream("Read", { file_path: path }),
    "dream write": (path) => dream("Write", { file_path: path, content: mine, reason: "-" }),
    "dream remove": (path) => dream("Remove", { file_path: path, reason: "-" }),
  };
  const byCall = new Map<string, number>();
  const ask = async (name: string, path: string, call: () => Promise<unknown>) => {
    byCall.set(name, (byCall.get(name) ?? 0) + 1);
    const said = await saidBy(call);
    expect(said, `${name} ${JSON.stringify(path)}`).not.toContain(secretText);
  };
  for (let tried = 0; tried < pathsPerFolder; tried += 1) {
    const path = nextPath(random);
    const names = Object.keys(calls);
    const asked = toTreePath(path).ok ? sample(names, 4, random) : names;
    for (const name of asked) await ask(name, path, () => (calls[name] as Call)(path));
  }
  for (const [name, look] of Object.entries(lookers)) await ask(name, "", () => look(memory));
  for (const path of copy.texts.keys()) expect(toTreePath(path).ok, path).toBe(true);
  expect(outsideOf(disk)).toBe(before);
  const strayed = disk.operations.filter(({ path }) => isOutside(path) && path.startsWith(secretFolder));
  expect(strayed).toEqual([]);
  return { tried: pathsPerFolder, byCall };
}

const likely = [
  "link.md",
  "linked/file.md",
  "deep/linked/a.md",
  "quarantine/file.md",
  "file.md",
  "present.md",
];

/** Mostly a bad one; every tenth is a name behind a planted link. */
function nextPath(random: SeededRandom): string {
  return random.below(10) === 0 ? (likely[random.below(likely.length)] as string) : hostilePath(random);
}

function sample<T>(list: readonly T[], count: number, random: SeededRandom): readonly T[] {
  const from = random.below(list.length);
  return Array.from({ length: count }, (_, index) => list[(from + index * 5) % list.length] as T);
}
