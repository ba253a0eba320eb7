import type { TrustPlaces } from "../../context/trust/index.ts";
import type { Shell } from "../../spec/index.ts";

export interface TrackedFilesOptions {
  readonly shell: Shell;
  /** Absolute, without links: where paths that are not absolute begin. */
  readonly cwd: string;
  /** Absolute, without links: the folders of the workspace. */
  readonly folders: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly isOwn?: TrustPlaces["isOwn"];
}

/** A repository may name programs in its settings that git runs when it looks at files: none of them is. */
const harmless = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.untrackedCache=false",
];

/**
 * Asks git once which files of the workspace are under version control. Links and other repositories inside are not among
 * them, and where git does not answer, nothing is. What comes under version control later counts from the next session on.
 */
export async function readTrackedFiles(options: TrackedFilesOptions): Promise<TrustPlaces> {
  const { cwd, folders, isOwn } = options;
  const tracked = new Set<string>();
  for (const folder of folders) {
    for (const path of await listFolder(options, folder)) tracked.add(`${folder.replace(/\/$/, "")}/${path}`);
  }
  return { cwd, folders, isTracked: (path) => tracked.has(path), ...(isOwn && { isOwn }) };
}

async function listFolder(
  { shell, environment }: TrackedFilesOptions,
  folder: string,
): Promise<readonly string[]> {
  const pieces: Uint8Array[] = [];
  const { ended } = shell.start("git", [...harmless, "ls-files", "--stage", "-z"], {
    cwd: folder,
    environment: { ...environment, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
    onOutput: (bytes, stream) => {
      if (stream === "stdout") pieces.push(bytes);
    },
  });
  const end = await ended;
  if (!end.ok || end.value.exitCode !== 0) return [];
  return Buffer.concat(pieces)
    .toString("utf8")
    .split("\0")
    .flatMap((line) => /^100[67]\d{2} [0-9a-f]+ 0\t([\s\S]+)$/.exec(line)?.[1] ?? []);
}
