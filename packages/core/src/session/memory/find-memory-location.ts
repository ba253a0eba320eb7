import { posix, resolve } from "node:path";
import { createRuntime } from "../../runtime.ts";
import {
  type Disk,
  type FileTree,
  fail,
  type LearnedStore,
  ok,
  type Result,
  type Store,
} from "../../spec/index.ts";
import { createNodeDisk, projectSlug } from "../../stores/files/index.ts";
import { createFileLearnedStore } from "../../stores/files/learned-store.ts";
import { createFileTree } from "../../stores/files/trees/file-tree.ts";
import { openNamedStores } from "../../stores/open-stores.ts";
import type { MemorySurroundings } from "./memory-surroundings.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";
import { readFolder } from "./survey-memories.ts";

/** The name of the tree in which a project's memories are. */
const treeName = "memory";

/** Where one project's memories are, and what belongs to them. */
export interface MemoryLocation {
  readonly tree: FileTree;
  readonly learned: LearnedStore | undefined;
  readonly project: string;
  readonly texts?: MemorySurroundings["texts"];
  /** The store to search: one with an index. */
  readonly recall?: Store;
  /** The file of the key of masks. */
  readonly maskKey?: { readonly disk: Disk; readonly path: string };
  /** Gives connections back. */
  close?(): Promise<void>;
}

/** Throws what is wrong with the options. */
export async function findMemoryLocation(options: OpenMemoryOptions): Promise<MemoryLocation> {
  const { dir, store, project, home, databaseUrl } = options;
  const given = Object.entries({ dir, store, databaseUrl }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    const names = given.map(([name]) => name).join(" and ");
    throw fail("invalid-input", `openMemory got ${names}: each says where memories are.`, {
      path: given.at(-1)?.[0] ?? "",
      fix: "Give one of them.",
    }).error;
  }
  if (dir !== undefined) return folderLocation(dir, options);
  if (store !== undefined) return storeLocation(store, project);
  const stores = await openNamedStores({ home, databaseUrl });
  if (!stores.ok) throw stores.error;
  const { close } = stores.value;
  const slug = project === undefined ? await projectAt(options.cwd) : ok(project);
  if (slug.ok) return { ...storeLocation(stores.value.store(slug.value), slug.value), close };
  await close();
  throw slug.error;
}

function projectAt(cwd: string | undefined): Promise<Result<string>> {
  return projectSlug(createNodeDisk(), cwd ?? createRuntime().workingFolder());
}

/** A store on files has room for a key; another one keeps the key with what was learned. */
function storeLocation(store: Store, project: string | undefined): MemoryLocation {
  const shared = store.folders?.shared;
  return {
    tree: store.tree(treeName),
    learned: store.learned,
    project: project ?? store.project ?? "",
    ...(store.recallIndex && { recall: store }),
    ...(shared && { maskKey: { disk: shared.disk, path: `${shared.folder}/mask-key` } }),
  };
}

function folderLocation(dir: string, options: OpenMemoryOptions): MemoryLocation {
  if (dir === "")
    throw fail("invalid-input", "openMemory got an empty folder name.", { fix: "Name a folder." }).error;
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const { clock = runtime.clock, ids = runtime.ids, durable = true } = options;
  const folder = resolve(runtime.workingFolder(), dir);
  const home = `${folder}/.palimpsest`;
  return {
    tree: createFileTree({ disk, folder, clock, ids, durable, onProblem: options.onProblem }),
    learned: createFileLearnedStore({ home, disk, ids }),
    project: "",
    maskKey: { disk, path: `${home}/mask-key` },
    async texts() {
      const read = await readFolder(disk, folder);
      if (read.ok) return ok(read.value.files);
      return read.error.code === "not-found" ? ok([]) : read;
    },
  };
}

/**
 * Whether a path that a memory names is there: as it is, below the home folder, or below the folder of work or one
 * above it, up to the root of the repository. Looks at names only.
 */
export function createHasPath(
  disk: Disk,
  cwd: string,
  homeFolder: string,
): (path: string) => Promise<boolean> {
  let roots: Promise<readonly string[]> | undefined;
  return async (path) => {
    if (path.startsWith("/")) return isThere(disk, path);
    if (path.startsWith("~/")) return isThere(disk, posix.join(homeFolder, path.slice(2)));
    roots ??= findRoots(disk, cwd);
    for (const root of await roots) if (await isThere(disk, posix.join(root, path))) return true;
    return false;
  };
}

async function isThere(disk: Disk, path: string): Promise<boolean> {
  const stat = await disk.stat(path.replace(/(?<=.)\/$/, ""));
  return stat.ok || (stat.error.code !== "not-found" && stat.error.code !== "not-directory");
}

async function findRoots(disk: Disk, cwd: string): Promise<readonly string[]> {
  const roots = [cwd];
  for (let folder = cwd; ; folder = posix.dirname(folder)) {
    if (folder !== cwd) roots.push(folder);
    if (await isThere(disk, posix.join(folder, ".git"))) return roots;
    if (folder === posix.dirname(folder)) return [cwd];
  }
}
