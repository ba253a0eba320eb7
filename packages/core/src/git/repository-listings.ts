/** A setting of a repository's own configuration, or of a file which that one includes. */
export interface RepositorySetting {
  /** As git lists it: section and variable in lower case. */
  readonly name: string;
  readonly value: string;
  /** The file that says it. */
  readonly origin: string;
}

/** The user's and the machine's configuration are theirs; what this program itself hands to git is known. */
const ownScopes = new Set(["local", "worktree"]);

const filePrefix = "file:";

/** The repository's own settings, out of `git config --list --show-scope --show-origin -z`. */
export function parseRepositorySettings(listed: string): readonly RepositorySetting[] {
  const fields = listed.split("\0");
  const settings: RepositorySetting[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [scope = "", origin = "", setting = ""] = fields.slice(at, at + 3);
    if (!ownScopes.has(scope) || !origin.startsWith(filePrefix)) continue;
    const [name = "", ...value] = setting.split("\n");
    settings.push({ name, value: value.join("\n"), origin: origin.slice(filePrefix.length) });
  }
  return settings;
}

/** Where a relative path of a setting begins. */
export type PathBase = "origin" | "git-folder" | "worktree";

const pathSettings: readonly { readonly names: RegExp; readonly base: PathBase }[] = [
  { names: /^include(?:if\.[\s\S]*)?\.path$/, base: "origin" },
  { names: /^(?:core\.worktree|extensions\.refstorage)$/, base: "git-folder" },
  { names: /^(?:commit\.template|(?:receive\.|fetch\.)?fsck\.skiplist)$/, base: "worktree" },
  // The excluded ones are of programs that are turned off, and of the network and the mail.
  { names: /^(?!(?:gpg|http|sendemail|imap|credential)\.)[\s\S]*file$/, base: "worktree" },
];

/** The path that a setting makes git read, as it is written; a `~` at its beginning stands for a home. */
export function pathOfSetting({
  name,
  value,
}: RepositorySetting): { readonly path: string; readonly base: PathBase } | undefined {
  const base = pathSettings.find(({ names }) => names.test(name))?.base;
  if (base === undefined || value === "") return undefined;
  if (name !== "extensions.refstorage") return { path: value.replace(/^:\(optional\)/, ""), base };
  // Only the form with an address names a folder.
  const [, path] = /^\w+:\/\/([\s\S]*)$/.exec(value) ?? [];
  return path === undefined ? undefined : { path, base };
}

export interface TrackedPaths {
  /** Relative to the top of the working tree, as all of them. */
  readonly submodules: readonly string[];
  /** Folders in which tracked files are, and those above them. */
  readonly folders: readonly string[];
}

/** Out of `git ls-files --stage -z --full-name :/`. */
export function parseTrackedPaths(listed: string): TrackedPaths {
  const submodules: string[] = [];
  const folders = new Set<string>();
  for (const entry of listed.split("\0")) {
    const path = entry.slice(entry.indexOf("\t") + 1);
    if (entry.startsWith("160000 ")) submodules.push(path);
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { submodules, folders: [...folders] };
}
