import { basename, resolve } from "node:path";
import { createRuntime } from "../../runtime.ts";
import { type FileTree, fail, type LearnedStore, type MemoryFolder, ok } from "../../spec/index.ts";
import { createFileTree } from "../../stores/files/file-tree.ts";
import { createNodeDisk, openFileStore } from "../../stores/files/index.ts";
import { createFileLearnedStore } from "../../stores/files/learned-store.ts";
import { createMemoryFolder } from "./create-memory-folder.ts";
import type { MemorySurroundings } from "./memory-surroundings.ts";
import { createMemoryUses } from "./memory-uses.ts";
import type { OpenMemoryOptions } from "./open-memory.ts";
import { createHasPath } from "./project-paths.ts";
import { readFolder } from "./read-folder.ts";
import { createMemorySurvey } from "./survey-memories.ts";

/** The name of the tree in which a project's memories are. */
const treeName = "memory";

/** What `openMemory` does, loaded when it is called. */
export async function findMemoryPlace(options: OpenMemoryOptions): Promise<MemoryFolder> {
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const {
    clock = runtime.clock,
    cwd,
    judgeMemory,
    maskSecrets,
    search,
    onProblem = () => undefined,
  } = options;
  const place = await findPlace(options);
  const around: MemorySurroundings = {
    tree: place.tree,
    clock,
    uses: createMemoryUses(place.learned, place.project),
    survey: createMemorySurvey(place.tree),
    readFolder: (folder) => readFolder(disk, resolve(runtime.workingFolder(), folder)),
    onProblem,
    ...(judgeMemory === undefined ? {} : { judge: judgeMemory }),
    ...(maskSecrets === undefined ? {} : { mask: maskSecrets }),
    ...(search === undefined ? {} : { search }),
    ...(place.texts === undefined ? {} : { texts: place.texts }),
    ...(cwd === undefined ? {} : { hasPath: createHasPath(disk, resolve(cwd), runtime.homeFolder) }),
  };
  return createMemoryFolder(around);
}

interface Place {
  readonly tree: FileTree;
  readonly learned: LearnedStore | undefined;
  readonly project: string;
  readonly texts?: MemorySurroundings["texts"];
}

async function findPlace(options: OpenMemoryOptions): Promise<Place> {
  const { dir, store, project, home, cwd } = options;
  if (dir !== undefined && store !== undefined) {
    throw fail("invalid-input", "openMemory got both a folder and a store.", { fix: "Give one of them." })
      .error;
  }
  if (dir !== undefined) return folderPlace(dir, options);
  if (store !== undefined)
    return { tree: store.tree(treeName), learned: store.learned, project: project ?? "" };
  const opened = await openFileStore({ home, project, cwd });
  if (!opened.ok) throw opened.error;
  const { layout, learned } = opened.value;
  return { tree: opened.value.tree(treeName), learned, project: basename(layout.root) };
}

function folderPlace(dir: string, options: OpenMemoryOptions): Place {
  if (dir === "")
    throw fail("invalid-input", "openMemory got an empty folder name.", { fix: "Name a folder." }).error;
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const { clock = runtime.clock, ids = runtime.ids, durable = true } = options;
  const folder = resolve(runtime.workingFolder(), dir);
  return {
    tree: createFileTree({ disk, folder, clock, ids, durable, onProblem: options.onProblem }),
    learned: createFileLearnedStore({ home: `${folder}/.palimpsest`, disk, ids }),
    project: "",
    async texts() {
      const read = await readFolder(disk, folder);
      if (read.ok) return ok(read.value.files);
      return read.error.code === "not-found" ? ok([]) : read;
    },
  };
}
