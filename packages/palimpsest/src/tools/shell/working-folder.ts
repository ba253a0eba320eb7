import { isAbsolute, join, relative, sep } from "node:path";
import type { Disk, Ids } from "@palimpsest/core/spec";

export interface WorkingFolderOptions {
  readonly disk: Disk;
  readonly ids: Ids;
  /** Where a command leaves word of the folder it ended in; made when needed, for nobody else to read. */
  readonly scratchFolder: string;
  /** Folders that belong to the workspace besides the one the agent works in. */
  readonly workspace?: readonly string[];
}

export interface CommandLocation {
  readonly folder: string;
  /** The note for the model, where the folder is not where it was. */
  readonly note?: string;
  /** Shell code to be run before the command: it changes neither its output nor its exit code. */
  readonly before: string;
  /** Looks where the command ended; says what the model should know. */
  settle(): Promise<string | undefined>;
}

/** Sessions whose folders are remembered. */
const maxSessions = 100;

/** The longest path that is believed. */
const maxPathBytes = 8_192;

/**
 * Where each session's commands run: `cd` lasts from one to the next inside the workspace, and ends with the command
 * outside of it.
 */
export function createWorkingFolders({ disk, ids, scratchFolder, workspace = [] }: WorkingFolderOptions): {
  location(session: string, cwd: string): Promise<CommandLocation>;
  /** Where the next command begins, if that folder is still there. */
  folderOf(session: string, cwd: string): string;
} {
  const folders = new Map<string, { readonly cwd: string; readonly folder: string }>();

  function remember(session: string, cwd: string, folder: string): void {
    folders.delete(session);
    if (folder !== cwd) folders.set(session, { cwd, folder });
    const [oldest] = folders.keys();
    if (folders.size > maxSessions && oldest !== undefined) folders.delete(oldest);
  }

  async function isInWorkspace(folder: string, cwd: string): Promise<boolean> {
    const roots = await Promise.all([cwd, ...workspace].map((root) => disk.realPath(root)));
    return roots.some((root) => root.ok && isWithin(root.value, folder));
  }

  async function settle(session: string, cwd: string, folder: string, file: string) {
    const ended = await readShortFile(disk, file);
    await disk.remove(file);
    const path = ended?.replace(/\n$/, "");
    if (path === undefined || !isAbsolute(path) || path === (await realPathOf(disk, folder)))
      return undefined;
    if (await isInWorkspace(path, cwd)) {
      remember(session, cwd, path);
      return undefined;
    }
    remember(session, cwd, cwd);
    return `[The working folder is ${cwd} again: ${path} is outside the workspace.]`;
  }

  function folderOf(session: string, cwd: string): string {
    const last = folders.get(session);
    return last?.cwd === cwd ? last.folder : cwd;
  }

  return {
    folderOf,
    async location(session, cwd) {
      const wanted = folderOf(session, cwd);
      const stat = wanted === cwd ? undefined : await disk.stat(wanted);
      const isThere = stat === undefined || (stat.ok && stat.value.kind === "directory");
      const folder = isThere ? wanted : cwd;
      const note = isThere ? undefined : `[The working folder is ${cwd} again: ${wanted} is gone.]`;
      if (!isThere) remember(session, cwd, cwd);
      const made = await disk.makeDirectory(scratchFolder);
      const file = join(scratchFolder, ids.next("folder"));
      return {
        folder,
        ...(note !== undefined && { note }),
        before: made.ok ? `trap 'command pwd -P >|${quoteInside(file)} 2>/dev/null' EXIT\n` : "",
        settle: async () => (made.ok ? settle(session, cwd, folder, file) : undefined),
      };
    },
  };
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** A word of the shell inside a text in single quotes. */
function quoteInside(word: string): string {
  return `"${word.replace(/["$`\\]/g, "\\$&")}"`.replaceAll("'", "'\\''");
}

async function realPathOf(disk: Disk, path: string): Promise<string> {
  const real = await disk.realPath(path);
  return real.ok ? real.value : path;
}

async function readShortFile(disk: Disk, path: string): Promise<string | undefined> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return undefined;
  const into = new Uint8Array(maxPathBytes);
  const read = await opened.value.read(0, into);
  await opened.value.close();
  return read.ok && read.value < maxPathBytes
    ? new TextDecoder().decode(into.subarray(0, read.value))
    : undefined;
}
