import { resolve } from "node:path";
import { createRuntime } from "../../runtime.ts";
import { ok, type Result } from "../../spec/index.ts";
import { version } from "../../version.ts";
import { dataRoot } from "./data-root.ts";
import { createFileStore, type FileStore } from "./file-store.ts";
import { createNodeDisk } from "./node-disk.ts";
import { projectSlug } from "./project-slug.ts";

export { dataRoot } from "./data-root.ts";
export { createFileStore, type FileStore, type FileStoreOptions } from "./file-store.ts";
export { createNodeDisk } from "./node-disk.ts";
export { projectSlug } from "./project-slug.ts";

export interface OpenFileStoreOptions {
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** The project's slug; found from `cwd` when absent. */
  readonly project?: string;
  readonly cwd?: string;
}

/** The file store of a project on this machine, with the machine's clock, ids and processes. */
export async function openFileStore(options: OpenFileStoreOptions = {}): Promise<Result<FileStore>> {
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const home = resolve(options.home ?? dataRoot(runtime.environment, runtime.homeFolder));
  const project = options.project
    ? ok(options.project)
    : await projectSlug(disk, options.cwd ?? runtime.workingFolder());
  if (!project.ok) return project;
  const { pid, host } = await runtime.processes.self();
  return ok(
    createFileStore({ ...runtime, home, project: project.value, disk, writer: { pid, host, version } }),
  );
}
