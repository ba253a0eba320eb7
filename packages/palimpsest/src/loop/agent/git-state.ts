import { createGit, type GitOptions } from "@palimpsest/core/internal";

export interface GitStateOptions extends GitOptions {
  readonly cwd: string;
}

export interface GitState {
  /** As git says it: `main`, `main...origin/main`, `No commits yet on main`. */
  readonly branch: string;
  /** One line for each file, as `git status --short` has them; `null` where that took too long. */
  readonly changed: readonly string[] | null;
}

/** How long git may take, all in all, and how much of what it says is read. */
export const gitTimeoutMs = 3_000;
export const maxGitBytes = 1_048_576;

const limits = { timeoutMs: gitTimeoutMs, maxBytes: maxGitBytes };

/** What git says of a folder; `null` where there is no git, no repository, or no answer in time. */
export async function readGitState({ cwd, ...options }: GitStateOptions): Promise<GitState | null> {
  const git = createGit(options);
  const status = await git.run(
    cwd,
    ["status", "--porcelain", "--branch", "--no-ahead-behind", "--no-renames", "--ignore-submodules=all"],
    limits,
  );
  if (status.ok) {
    if (status.value.exitCode !== 0) return null;
    const [first = "", ...changed] = status.value.output.split("\n").filter((line) => line !== "");
    return { branch: first.replace(/^## /, ""), changed };
  }
  if (status.error.code !== "timeout") return null;
  const branch = await git.run(cwd, ["branch", "--show-current"], limits);
  if (!branch.ok || branch.value.exitCode !== 0) return null;
  return { branch: branch.value.output.trim() || "no branch", changed: null };
}
