import { delimiter, isAbsolute } from "node:path";
import type { Clock, Shell } from "../../spec/index.ts";

export interface GitOptions {
  readonly shell: Shell;
  readonly clock: Clock;
  readonly cwd: string;
  /** The machine's; git sees where programs and the user's own configuration are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
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

/** A repository's own configuration can name programs. None of them is run for looking, and nothing is fetched. */
const quietly = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_NO_LAZY_FETCH: "1",
};
type Settings = readonly (readonly [name: string, value: string])[];

const guards: Settings = [
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
];

/** What git says of a folder; `null` where there is no git, no repository, or no answer in time. */
export async function readGitState(options: GitOptions): Promise<GitState | null> {
  const found = await inTime(options, readStatus);
  if (found !== "late") return found;
  const branch = await inTime(options, readBranch);
  return branch === null || branch === "late" ? null : { branch, changed: null };
}

type Git = (args: readonly string[], settings?: Settings) => Promise<GitEnd | null>;

async function inTime<Answer>(
  options: GitOptions,
  ask: (git: Git) => Promise<Answer | null>,
): Promise<Answer | null | "late"> {
  const [late, done] = [new AbortController(), new AbortController()];
  const waiting = options.clock.sleep(gitTimeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) late.abort();
  });
  const answer = await ask((args, settings = guards) => runGit(options, args, settings, late.signal));
  done.abort();
  await waiting;
  return late.signal.aborted ? "late" : answer;
}

async function readStatus(git: Git): Promise<GitState | null> {
  const filters = await git(["config", "-z", "--name-only", "--get-regexp", "^filter\\."]);
  if (filters === null || (filters.exitCode !== 0 && filters.exitCode !== 1)) return null;
  const status = await git(
    ["status", "--porcelain", "--branch", "--no-ahead-behind", "--no-renames", "--ignore-submodules=all"],
    [...guards, ...withoutFilters(filters.output)],
  );
  if (status?.exitCode !== 0) return null;
  const [first = "", ...changed] = status.output.split("\n").filter((line) => line !== "");
  return { branch: first.replace(/^## /, ""), changed };
}

async function readBranch(git: Git): Promise<string | null> {
  const branch = await git(["branch", "--show-current"]);
  return branch?.exitCode === 0 ? branch.output.trim() || "no branch" : null;
}

/** To see whether a file has changed, git hands it to the filters that are set up for it: programs. */
function withoutFilters(names: string): Settings {
  return names
    .split("\0")
    .filter((name) => name !== "")
    .map((name) => [name, name.endsWith(".required") ? "false" : ""] as const);
}

interface GitEnd {
  readonly exitCode: number | null;
  readonly output: string;
}

async function runGit(
  { shell, cwd, environment }: GitOptions,
  args: readonly string[],
  settings: Settings,
  signal: AbortSignal,
): Promise<GitEnd | null> {
  if (signal.aborted) return null;
  const chunks: Uint8Array[] = [];
  let bytesRead = 0;
  const child = shell.start("git", args, {
    cwd,
    environment: { ...searchPaths(environment), ...quietly, ...toVariables(settings) },
    onOutput(bytes, stream) {
      if (stream !== "stdout" || bytesRead >= maxGitBytes) return;
      bytesRead += bytes.length;
      chunks.push(bytes);
      if (bytesRead >= maxGitBytes) child.kill();
    },
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  const ended = await child.ended;
  signal.removeEventListener("abort", stop);
  if (!ended.ok || signal.aborted || bytesRead >= maxGitBytes) return null;
  return { exitCode: ended.value.exitCode, output: Buffer.concat(chunks).toString("utf8") };
}

/** A program of the folder itself is never taken for git. */
function searchPaths({ PATH = "", HOME }: GitOptions["environment"]): Record<string, string> {
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  return { PATH: folders.join(delimiter), ...(HOME !== undefined && { HOME }) };
}

function toVariables(settings: Settings): Record<string, string> {
  const variables = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(settings.length) };
}
