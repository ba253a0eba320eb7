import { resolve } from "node:path";
import { createRuntime } from "../../runtime.ts";
import { ok, type Result } from "../../spec/index.ts";
import { version } from "../../version.ts";
import { dataRoot } from "./data-root.ts";
import { createNodeDisk } from "./disk/node-disk.ts";
import { projectSlug } from "./project-slug.ts";
import type { FileStore } from "./store.ts";
import { createFileStores, type FileStores } from "./stores.ts";

export { dataRoot } from "./data-root.ts";
export { createNodeDisk } from "./disk/node-disk.ts";
export { projectSlug } from "./project-slug.ts";
export { createFileSpendingLedger, type FileSpendingOptions } from "./spending/spending-ledger.ts";
export { createFileStore, type FileStore, type FileStoreOptions } from "./store.ts";
export { createFileStores, type FileStores } from "./stores.ts";

export interface OpenFileStoreOptions {
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** The project's slug; found from `cwd` when absent. */
  readonly project?: string;
  readonly cwd?: string;
}

/** The file store of a project on this machine, with the machine's clock, ids and processes. */
export async function openFileStore(options: OpenFileStoreOptions = {}): Promise<Result<FileStore>> {
  const project = options.project ? ok(options.project) : await projectAt(options.cwd);
  if (!project.ok) return project;
  return ok((await openFileStores(options.home)).store(project.value));
}

/** All projects of a data root on this machine; `PALIMPSEST_HOME` and its defaults when absent. */
export async function openFileStores(home?: string): Promise<FileStores> {
  const runtime = createRuntime();
  const root = resolve(home ?? dataRoot(runtime.environment, runtime.homeFolder));
  const { pid, host } = await runtime.processes.self();
  return createFileStores({ ...runtime, home: root, disk: createNodeDisk(), writer: { pid, host, version } });
}

async function projectAt(cwd: string | undefined): Promise<Result<string>> {
  return projectSlug(createNodeDisk(), cwd ?? createRuntime().workingFolder());
}
