import { createGit, type Git, type GitOptions } from "../../git/create-git.ts";
import { unreadable } from "../../git/folder-bounds.ts";
import type { TrustLocations } from "../../view/trust/index.ts";

export interface TrackedFilesOptions extends GitOptions {
  /** Absolute, without links: where paths that are not absolute begin. */
  readonly cwd: string;
  /** Absolute, without links: the folders of the workspace. */
  readonly folders: readonly string[];
  readonly isOwn?: TrustLocations["isOwn"];
}

/** How long git may take for one folder, and how much of its list is read: where it takes more, nothing is trusted. */
const limits = { timeoutMs: 30_000, maxBytes: 128 * 1024 * 1024 };

/**
 * Asks git once which files of the workspace are under version control. Links, other repositories inside and names that are no text are
 * not among them, and where git does not answer, nothing is. What comes under version control later counts from the next session on.
 */
export async function readTrackedFiles(options: TrackedFilesOptions): Promise<TrustLocations> {
  const { cwd, folders, isOwn } = options;
  const git = createGit(options);
  const tracked = new Set<string>();
  for (const folder of folders) {
    for (const path of await listFolder(git, folder)) tracked.add(`${folder.replace(/\/$/, "")}/${path}`);
  }
  return { cwd, folders, isTracked: (path) => tracked.has(path), ...(isOwn && { isOwn }) };
}

async function listFolder(git: Git, folder: string): Promise<readonly string[]> {
  const listed = await git.run(folder, ["ls-files", "--stage", "-z"], limits);
  if (!listed.ok || listed.value.exitCode !== 0) return [];
  return listed.value.output
    .split("\0")
    .flatMap((line) => /^100[67]\d{2} [0-9a-f]+ 0\t([\s\S]+)$/.exec(line)?.[1] ?? [])
    .filter((path) => !path.includes(unreadable));
}
