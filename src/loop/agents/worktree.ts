import { join } from "node:path";
import { fail, ok, type Result, type Shell } from "../../spec/index.ts";

/** A checkout of a repository for one agent. */
export interface Worktree {
  readonly path: string;
  /** The folder in it that is the same as the one it was made for. */
  readonly cwd: string;
  /** The agent has ended. Removes it unless something has changed in it; gives its path where it stays. */
  leave(): Promise<string | undefined>;
}

export interface WorktreeOptions {
  readonly shell: Shell;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where worktrees are. */
  readonly folder: string;
}

const maxOutputChars = 10_000;

/** Makes worktrees of the repository that a folder is in, each at the commit that is checked out there. */
export function createWorktrees(options: WorktreeOptions) {
  const git = createGit(options);
  return async (cwd: string, id: string): Promise<Result<Worktree>> => {
    const base = await git(cwd, ["rev-parse", "--verify", "HEAD^{commit}"]);
    if (!base.ok) return (await refusal(cwd)) ?? base;
    const path = join(options.folder, id);
    const added = await git(cwd, ["worktree", "add", "--detach", path, base.value]);
    if (!added.ok) return added;
    const prefix = await git(cwd, ["rev-parse", "--show-prefix"]);
    const below = prefix.ok ? prefix.value.replace(/\/$/, "") : "";
    const isThere = (await git(path, ["cat-file", "-e", `HEAD:${below}`])).ok;
    return ok({
      path,
      cwd: isThere ? join(path, below) : path,
      leave: () => leave(cwd, path, base.value),
    });
  };

  /** Why there is nothing to check out; `null` where git itself says it. */
  async function refusal(cwd: string): Promise<Result<never> | null> {
    const inside = await git(cwd, ["rev-parse", "--is-inside-work-tree"]);
    if (!inside.ok && inside.error.code === "not-found") return null;
    const what = inside.ok
      ? "is in a git repository without a commit, so there is nothing to check out"
      : "is in no git repository";
    const fix = inside.ok ? "Commit something first, or leave isolation out." : "Leave isolation out.";
    return fail("invalid-input", `${cwd} ${what}.`, { path: cwd, fix });
  }

  /** Where it cannot be told whether something has changed, it stays. */
  async function leave(cwd: string, path: string, base: string): Promise<string | undefined> {
    const [head, status] = await Promise.all([
      git(path, ["rev-parse", "HEAD"]),
      git(path, ["status", "--porcelain", "--untracked-files=all"]),
    ]);
    const isSame = head.ok && head.value === base && status.ok && status.value === "";
    if (!isSame) return path;
    const removed = await git(cwd, ["worktree", "remove", path]);
    return removed.ok ? undefined : path;
  }
}

/** Runs git, whose hooks and prompts are kept out. */
function createGit({ shell, environment }: WorktreeOptions) {
  const set = Object.fromEntries(
    Object.entries(environment).filter(
      (pair): pair is [string, string] => pair[1] !== undefined && !pair[0].startsWith("GIT_"),
    ),
  );
  return async (cwd: string, args: readonly string[]): Promise<Result<string>> => {
    const [out, error] = [[] as string[], [] as string[]];
    const child = shell.start(
      "git",
      ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", ...args],
      {
        cwd,
        environment: { ...set, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" },
        onOutput: (bytes, stream) =>
          (stream === "stdout" ? out : error).push(Buffer.from(bytes).toString("utf8")),
      },
    );
    const ended = await child.ended;
    if (!ended.ok)
      return fail("not-found", `git cannot be run: ${ended.error.message}`, {
        path: cwd,
        fix: "Install git, or leave isolation out.",
        cause: ended.error,
      });
    if (ended.value.exitCode === 0) return ok(out.join("").trim());
    const words = error.join("").trim().slice(0, maxOutputChars);
    return fail("io", `git ${args[0]} failed: ${words || `exit ${ended.value.exitCode}`}`, {
      path: cwd,
      fix: "Look at the repository, or leave isolation out.",
    });
  };
}
