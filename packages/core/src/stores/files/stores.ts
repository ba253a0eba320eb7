import { ok, type ProjectStores } from "../../spec/index.ts";
import { isProjectName } from "../shared/layout.ts";
import { createFileStore, type FileStore, type FileStoreOptions } from "./store.ts";
import { sessionFiles } from "./upkeep/session-files.ts";
import { findSecret } from "./upkeep/survey-secret.ts";

/** The projects of a data root. */
export interface FileStores extends ProjectStores {
  store(project: string): FileStore;
}

export function createFileStores(options: Omit<FileStoreOptions, "project">): FileStores {
  const { home, disk } = options;
  const store = (project: string) => createFileStore({ ...options, project });
  return {
    kind: "files",
    address: home,
    store,
    async projects() {
      const names = await disk.list(`${home}/projects`);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      return ok(names.value.filter(isProjectName));
    },
    async findSecret({ needles }, { except, signal }) {
      const own = await sessionFiles(disk, store(except.project).layout, except.session);
      if (!own.ok) return own;
      const holders = await findSecret(disk, home, needles, signal);
      if (!holders.ok) return holders;
      const paths = new Set(own.value.map(({ path }) => path));
      return ok(holders.value.filter((path) => !paths.has(path)));
    },
    async close() {},
  };
}
