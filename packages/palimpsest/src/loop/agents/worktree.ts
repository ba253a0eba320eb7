import { join } from "node:path";
import { createGit, type GitOptions } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";

/** A checkout of a repository for one agent. */
export interface Worktree {
  readonly path: string;
  /** The folder in it that is the same as the one it was made for. */
  readonly cwd: string;
  /** The agent has ended. Removes it unless something has changed in it; gives its path where it stays. */
  leave(): Promise<string | undefined>;
}

export interface WorktreeOptions extends GitOptions {
  /** Where worktrees are. */
  readonly folder: string;
}

const maxOutputChars = 10_000;

/** A large repository is checked out within it. */
const limits = { timeoutMs: 10 * 60_000 };

/**
 * Makes worktrees of the repository that a folder is in, each at the commit that is checked out there. No filter runs:
 * files stand in them as they are stored.
 */
export function createWorktrees(options: WorktreeOptions) {
  return async (cwd: string, id: string): Promise<Result<Worktree>> => {
    const git = createWorktreeGit({ ...options, workspace: [cwd, ...(options.workspace ?? [])] });
    const base = await git(cwd, ["rev-parse", "--verify", "HEAD^{commit}"]);
    if (!base.ok) return (await refusal(git, cwd)) ?? base;
    const path = join(options.folder, id);
    const added = await git(cwd, ["worktree", "add", "--no-checkout", "--detach", path, base.value]);
    if (!added.ok) return added;
    // A worktree may have configuration of its own: only there it is known what a checkout would run.
    const filled = await git(path, ["reset", "--hard", "--quiet"]);
    if (!filled.ok) {
      await git(cwd, ["worktree", "remove", "--force", path], path);
      return filled;
    }
    const prefix = await git(cwd, ["rev-parse", "--show-prefix"]);
    const below = prefix.ok ? prefix.value.replace(/\/$/, "") : "";
    const isThere = (await git(path, ["cat-file", "-e", `HEAD:${below}`])).ok;
    return ok({
      path,
      cwd: isThere ? join(path, below) : path,
      leave: () => removeIfUnchanged(git, cwd, path, base.value),
    });
  };
}

/** Why there is nothing to check out; `null` where git itself says it. */
async function refusal(git: WorktreeGit, cwd: string): Promise<Result<never> | null> {
  const inside = await git(cwd, ["rev-parse", "--is-inside-work-tree"]);
  if (!inside.ok && inside.error.code !== "io") return null;
  const what = inside.ok
    ? "is in a git repository without a commit, so there is nothing to check out"
    : "is in no git repository";
  const fix = inside.ok ? "Commit something first, or leave isolation out." : "Leave isolation out.";
  return fail("invalid-input", `${cwd} ${what}.`, { path: cwd, fix });
}

/** Where it cannot be told whether something has changed, it stays; with submodules git keeps it. */
async function removeIfUnchanged(
  git: WorktreeGit,
  cwd: string,
  path: string,
  base: string,
): Promise<string | undefined> {
  const [head, status] = await Promise.all([
    git(path, ["rev-parse", "HEAD"]),
    git(path, ["status", "--porcelain", "--untracked-files=all", "--ignore-submodules=all"]),
  ]);
  const isSame = head.ok && head.value === base && status.ok && status.value === "";
  if (!isSame) return path;
  const removed = await git(cwd, ["worktree", "remove", path], path);
  return removed.ok ? undefined : path;
}

type WorktreeGit = ReturnType<typeof createWorktreeGit>;

/** Its output, or why it failed and what to do. */
function createWorktreeGit(options: GitOptions) {
  const git = createGit(options);
  return async (cwd: string, args: readonly string[], worktree?: string): Promise<Result<string>> => {
    const ran = await git.run(cwd, args, { ...limits, ...(worktree !== undefined && { worktree }) });
    if (!ran.ok) {
      const { code, message } = ran.error;
      const fix = code === "not-found" ? "Install git, or leave isolation out." : inspect;
      return fail(code, `git cannot be run: ${message}`, { path: cwd, fix, cause: ran.error });
    }
    const { exitCode, output, words } = ran.value;
    if (exitCode === 0) return ok(output.trim());
    const reason = words.trim().slice(0, maxOutputChars) || `exit ${exitCode}`;
    return fail("io", `git ${args[0]} failed: ${reason}`, { path: cwd, fix: inspect });
  };
}

const inspect = "Look at the repository, or leave isolation out.";
