import { foldPath } from "./fold-path.ts";
import { isWithin } from "./plain-path.ts";

/** Folders whose files are run or obeyed by other programs: hooks, editors' tasks, keys, our own settings. */
export const protectedFolders: readonly string[] = [
  ".git",
  ".githooks",
  ".gnupg",
  ".husky",
  ".idea",
  ".palimpsest",
  ".ssh",
  ".vscode",
];

/** Files that shells and other programs obey when they start. */
export const protectedFiles: readonly string[] = [
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".cshrc",
  ".envrc",
  ".gitconfig",
  ".gitmodules",
  ".inputrc",
  ".kshrc",
  ".mcp.json",
  ".netrc",
  ".npmrc",
  ".profile",
  ".pypirc",
  ".tcshrc",
  ".vimrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "config.fish",
];

/** Whether a change there is asked for although it is in the workspace. `more` are absolute paths of files and folders. */
export function isProtectedPath(path: string, more: readonly string[] = []): boolean {
  const folded = foldPath(path);
  const names = folded.split("/").filter(Boolean);
  return (
    names.some((name) => protectedFolders.includes(name)) ||
    protectedFiles.includes(names.at(-1) ?? "") ||
    more.some((one) => isWithin(folded, foldPath(one)))
  );
}
