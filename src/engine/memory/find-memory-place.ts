import { basename, dirname, resolve } from "node:path";
import { createRuntime } from "../../runtime.ts";
import { type Disk, type FileTree, fail, type LearnedStore, ok, type Store } from "../../spec/index.ts";
import { createFileTree } from "../../stores/files/file-tree.ts";
import { createNodeDisk, type FileStore, openFileStore } from "../../stores/files/index.ts";
import { createFileLearnedStore } from "../../stores/files/learned-store.ts";
import type { MemorySurroundings } from "./memory-surroundings.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";
import { readFolder } from "./read-folder.ts";

/** The name of the tree in which a project's memories are. */
const treeName = "memory";

/** Where one project's memories are, and what belongs to them. */
export interface MemoryPlace {
  readonly tree: FileTree;
  readonly learned: LearnedStore | undefined;
  readonly project: string;
  readonly texts?: MemorySurroundings["texts"];
  /** What can be searched, and where its index stands. */
  readonly recall?: { readonly store: Store; readonly disk: Disk; readonly folder: string };
  /** The file of the key of masks. */
  readonly maskKey?: { readonly disk: Disk; readonly path: string };
}

/** Throws what is wrong with the options. */
export async function findMemoryPlace(options: OpenMemoryOptions): Promise<MemoryPlace> {
  const { dir, store, project, home, cwd } = options;
  if (dir !== undefined && store !== undefined) {
    throw fail("invalid-input", "openMemory got both a folder and a store.", { fix: "Give one of them." })
      .error;
  }
  if (dir !== undefined) return folderPlace(dir, options);
  if (store !== undefined) return storePlace(store, project);
  const opened = await openFileStore({ home, project, cwd });
  if (!opened.ok) throw opened.error;
  return storePlace(opened.value, project);
}

/** A store on files has room for an index and a key; another one keeps the key with what was learned. */
function storePlace(store: Store, project: string | undefined): MemoryPlace {
  const place = { tree: store.tree(treeName), learned: store.learned };
  if (!isFileStore(store)) return { ...place, project: project ?? "" };
  const { disk, layout } = store;
  return {
    ...place,
    project: project ?? basename(layout.root),
    recall: { store, disk, folder: `${layout.root}/recall` },
    maskKey: { disk, path: `${dirname(dirname(layout.root))}/mask-key` },
  };
}

function isFileStore(store: Store): store is FileStore {
  return "layout" in store && "disk" in store;
}

function folderPlace(dir: string, options: OpenMemoryOptions): MemoryPlace {
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
