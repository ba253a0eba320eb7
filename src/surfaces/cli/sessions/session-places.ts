import { createRuntime } from "../../../runtime.ts";
import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import { createFileStore, createNodeDisk, type FileStore, projectSlug } from "../../../stores/files/index.ts";
import { version } from "../../../version.ts";
import type { CommandContext } from "../terminal.ts";

const slugPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The projects under one data root, and their stores. */
export interface SessionPlaces {
  readonly home: string;
  /** Where the command was called. */
  readonly folder: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The slug of the folder the command was called in. */
  currentProject(): Promise<Result<string>>;
  /** Slugs of all projects that have a folder here. */
  projects(): Promise<Result<readonly string[]>>;
  /** The slug meant by a slug, or by a folder of a project. */
  toProject(named: string): Promise<Result<string>>;
  /** Nothing is made on the disk by this. `home` is another data root. */
  store(project: string, home?: string): FileStore;
}

export async function openSessionPlaces({ home, folder }: CommandContext): Promise<SessionPlaces> {
  const runtime = createRuntime();
  const disk = createNodeDisk();
  const { pid, host } = await runtime.processes.self();
  const writer = { pid, host, version };

  async function projects(): Promise<Result<readonly string[]>> {
    const names = await disk.list(`${home}/projects`);
    if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
    return ok(names.value.filter((name) => slugPattern.test(name)));
  }

  return {
    home,
    folder,
    disk,
    clock: runtime.clock,
    ids: runtime.ids,
    processes: runtime.processes,
    projects,
    currentProject: () => projectSlug(disk, folder),
    async toProject(named) {
      const known = await projects();
      if (!known.ok) return known;
      if (known.value.includes(named)) return ok(named);
      const slug = await projectSlug(disk, named.startsWith("/") ? named : `${folder}/${named}`);
      if (slug.ok) return slug;
      if (slug.error.code !== "not-found") return slug;
      return fail("not-found", `“${named}” is neither a folder nor a project under ${home}/projects.`, {
        path: named,
        fix: "“palimpsest sessions list --all” shows every project that has sessions.",
      });
    },
    store: (project, root = home) => createFileStore({ ...runtime, home: root, project, disk, writer }),
  };
}
