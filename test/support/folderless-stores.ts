import type { ProjectStore, ProjectStores } from "../../packages/core/src/spec/index.ts";
import { openFileStores } from "../../packages/core/src/stores/files/index.ts";

export interface FolderlessStores extends ProjectStores {
  /** How often they were closed. */
  readonly closings: () => number;
}

/** Stores that keep files and tell nobody: what a command does with them it can do with a database. */
export async function openFolderlessStores(home: string): Promise<FolderlessStores> {
  const files = await openFileStores(home);
  let closings = 0;
  const hide = (project: string): ProjectStore => {
    const { layout: _layout, disk: _disk, folders: _folders, ...store } = files.store(project);
    const address = (session: string) => `postgres://host/db, session ${session}`;
    return { ...store, sessions: { ...store.sessions, address } };
  };
  return {
    ...files,
    kind: "postgres",
    address: "postgres://host/db",
    store: hide,
    async close() {
      closings += 1;
    },
    closings: () => closings,
  };
}
