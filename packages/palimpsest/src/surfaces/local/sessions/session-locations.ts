import { createRuntime, openStores } from "@palimpsest/core/internal";
import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  ok,
  type ProjectStore,
  type ProjectStores,
  type Result,
} from "@palimpsest/core/spec";
import { createNodeDisk, openFileStores, projectSlug } from "@palimpsest/core/stores/files";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";

/** The projects that are stored where a command looks, and which of them is meant. */
export interface SessionLocations extends ProjectStores {
  /** The data root of this machine. */
  readonly home: string;
  /** Where projects are looked for, for a person. */
  readonly projectsAddress: string;
  /** Where the command was called. */
  readonly folder: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The slug of the folder the command was called in. */
  currentProject(): Promise<Result<string>>;
  /** The slug meant by a slug, or by a folder of a project. */
  toProject(named: string): Promise<Result<string>>;
  /** The store of a project in files under another data root, whatever holds for this command. */
  fileStore(project: string, home: string): Promise<ProjectStore>;
}

/** Throws what is wrong with the store that was asked for. */
export async function openSessionLocations(context: CommandContext): Promise<SessionLocations> {
  const { home, folder, store } = context;
  const { clock, ids } = createRuntime();
  const disk = createNodeDisk();
  const stores = await (context.stores?.() ??
    openStores({ home, ...(store !== undefined && { store }) }).then(orThrow));
  const projectsAddress = stores.kind === "files" ? `${stores.address}/projects` : stores.address;
  return {
    ...stores,
    home,
    projectsAddress,
    folder,
    disk,
    clock,
    ids,
    currentProject: () => projectSlug(disk, folder),
    async toProject(named) {
      const known = await stores.projects();
      if (!known.ok) return known;
      if (known.value.includes(named)) return ok(named);
      const slug = await projectSlug(disk, named.startsWith("/") ? named : `${folder}/${named}`);
      if (slug.ok) return slug;
      if (slug.error.code !== "not-found") return slug;
      return fail("not-found", `“${named}” is neither a folder nor a project under ${projectsAddress}.`, {
        path: named,
        fix: "“palimpsest sessions list --all” shows every project that has sessions.",
      });
    },
    fileStore: async (project, root) => (await openFileStores(root)).store(project),
  };
}
