import { isUtf8 } from "node:buffer";
import { join } from "node:path";
import { type Clock, fail, ok, type Result, type Shell } from "../spec/index.ts";
import { unreadable } from "./folder-bounds.ts";
import { type GitSettings, settingsAgainst, toGitEnvironment } from "./git-environment.ts";
import {
  parseRepositorySettings,
  parseTrackedPaths,
  type RepositorySetting,
  type TrackedPaths,
} from "./repository-listings.ts";

export interface GitOptions {
  readonly shell: Shell;
  readonly clock: Clock;
  /** The machine's; git sees where programs and the user's own configuration are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders besides the one it runs in whose programs are not taken for git. */
  readonly workspace?: readonly string[];
}

export interface GitLimits {
  /** All in all, with the looks at the configuration. */
  readonly timeoutMs: number;
  /** Of its output. */
  readonly maxBytes?: number;
}

export interface GitCall extends GitLimits {
  /** Another worktree that git looks into. */
  readonly worktree?: string;
}

export interface GitAnswer {
  readonly exitCode: number | null;
  readonly output: string;
  /** Whether that is UTF-8; bytes that are not stand altered in it. */
  readonly isText: boolean;
  /** Its output on stderr. */
  readonly words: string;
}

/** Where git looks from a folder, as it says itself; there may be links in the paths. */
export interface GitRepository {
  readonly folder: string;
  readonly gitFolder: string;
  /** The same, but for a linked worktree. */
  readonly commonFolder: string;
  readonly worktree?: string;
  readonly settings: readonly RepositorySetting[];
  /** Folders of the working tree with tracked files in them, relative to its top. */
  readonly trackedFolders: readonly string[];
}

export interface GitRepositories {
  /** Against the programs that the configurations of all of them name. */
  readonly settings: GitSettings;
  readonly repositories: readonly GitRepository[];
}

export interface Git {
  /** Runs git, and nothing that the repository names. Fails where there is no git or no answer within the limits. */
  run(cwd: string, args: readonly string[], call: GitCall): Promise<Result<GitAnswer>>;
  /**
   * The repository of a folder, if it is in one, and every submodule that is checked out in it: git looks into them by
   * itself.
   */
  readRepositories(cwd: string, limits: GitLimits): Promise<Result<GitRepositories>>;
}

const defaultMaxBytes = 16 * 1024 * 1024;
const maxIndexBytes = 128 * 1024 * 1024;

/** More names and more submodules than these are a trap, and nothing is run. */
export const maxSettings = 2_000;
export const maxRepositories = 200;

/** The variables that say where programs and the user's own configuration are. */
const needed = ["PATH", "HOME", "XDG_CONFIG_HOME"] as const;

/** The only way in which this program starts git. */
export function createGit(options: GitOptions): Git {
  return {
    run: (cwd, args, { worktree, ...limits }) =>
      withTimeLimit(options.clock, limits.timeoutMs, async (signal) => {
        const run = { ...options, ...limits, cwd, signal };
        const settings = await readOwnSettings(run);
        const others = worktree === undefined ? ok([]) : await readOwnSettings({ ...run, cwd: worktree });
        if (!settings.ok) return settings;
        if (!others.ok) return others;
        return start({ ...run, settings: [...settings.value, ...others.value] }, args);
      }),
    readRepositories: (cwd, limits) =>
      withTimeLimit(options.clock, limits.timeoutMs, (signal) =>
        readAllRepositories({ ...options, ...limits, cwd, signal }),
      ),
  };
}

interface GitRun extends GitOptions, GitLimits {
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly settings?: GitSettings;
}

async function withTimeLimit<Value>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const [late, done] = [new AbortController(), new AbortController()];
  const waiting = clock.sleep(timeoutMs, done.signal).then(() => {
    if (!done.signal.aborted) late.abort();
  });
  const result = await work(late.signal);
  done.abort();
  await waiting;
  if (!late.signal.aborted) return result;
  return fail("timeout", `git did not answer within ${timeoutMs} ms.`);
}

/** Names of settings are read without running anything. */
async function readOwnSettings(run: GitRun): Promise<Result<GitSettings>> {
  const listed = await start(run, ["config", "--list", "--name-only", "-z"]);
  if (!listed.ok) return listed;
  const { exitCode, output, words, isText } = listed.value;
  if (exitCode !== 0) return unreadableConfiguration(words);
  // Settings are handed over as variables, which are text: this name could not be among them.
  if (!isText)
    return fail(
      "invalid-input",
      "The configuration of git has a name that is not UTF-8, and so cannot be turned off.",
    );
  return withinLimit(settingsAgainst(output.split("\0").filter((name) => name !== "")));
}

/** Text that git quotes may be out of another file than the repository's. */
function unreadableConfiguration(words: string): Result<never> {
  const said = words.replace(/'[\s\S]*'/, "'…'").trim();
  return fail("invalid-input", `git cannot read its configuration: ${said}`);
}

/** Of the repository and of the submodules in it, and in them. */
async function readAllRepositories(run: GitRun): Promise<Result<GitRepositories>> {
  const settings = new Map<string, string>();
  const repositories: GitRepository[] = [];
  const folders = new Set([run.cwd]);
  for (const cwd of folders) {
    const own = await readOwnSettings({ ...run, cwd });
    // A submodule that is not checked out may have no folder, and git does not look into it.
    if (!own.ok && cwd !== run.cwd && isMissing(own.error.code)) continue;
    if (!own.ok) return own;
    for (const [name, value] of own.value) settings.set(name, value);
    const repository = await readRepository({ ...run, cwd, settings: own.value }, cwd !== run.cwd);
    if (!repository.ok) return repository;
    if (repository.value === undefined) continue;
    const { worktree } = repository.value;
    const tracked = await readTracked({ ...run, cwd, settings: own.value }, worktree);
    if (!tracked.ok) return tracked;
    repositories.push({ ...repository.value, trackedFolders: tracked.value.folders });
    for (const path of tracked.value.submodules) {
      const submodule = join(worktree ?? cwd, path);
      if (submodule.includes(unreadable))
        return fail(
          "invalid-input",
          "The repository has a submodule at a path that is not UTF-8, and its configuration cannot be looked at.",
        );
      folders.add(submodule);
    }
    if (folders.size > maxRepositories)
      return fail("too-large", `The repository has more than ${maxRepositories} submodules.`);
  }
  const all = withinLimit([...settings]);
  return all.ok ? ok({ settings: all.value, repositories }) : all;
}

/** How git says that it takes the folder for none of a repository; then it asks no repository's configuration. */
const noRepository =
  /^fatal: (?:not a git repository|cannot use bare repository|detected dubious ownership|unsafe repository)/m;

/** Of a submodule that belongs to another user git says so too, and yet looks into it from the repository around it. */
const foreignOwner = /^fatal: (?:detected dubious ownership|unsafe repository)/m;

/** Nothing outside of a repository. Of paths that are no text it is not known where they lead. */
async function readRepository(
  run: GitRun,
  isSubmodule: boolean,
): Promise<Result<Omit<GitRepository, "trackedFolders"> | undefined>> {
  const found = await start(run, ["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]);
  if (!found.ok) return found;
  const { exitCode, output, isText, words } = found.value;
  if (exitCode !== 0 && isSubmodule && foreignOwner.test(words))
    return fail(
      "invalid-input",
      "A submodule belongs to another user, and git does not say how it is set up.",
    );
  if (exitCode !== 0) return noRepository.test(words) ? ok(undefined) : unreadableConfiguration(words);
  const [gitFolder = "", commonFolder = "", ...more] = output.replace(/\n$/, "").split("\n");
  if (more.length > 0) return fail("invalid-input", "The path of the git folder has a line break.");
  if (!isText) return fail("invalid-input", "The path of the git folder is not UTF-8.");
  const top = await start(run, ["rev-parse", "--show-toplevel"]);
  if (!top.ok) return top;
  if (!top.value.isText) return fail("invalid-input", "The path of the working tree is not UTF-8.");
  // With the folder named, the paths of its files are whole.
  const listed = await start(run, [
    `--git-dir=${gitFolder}`,
    ...["config", "--list", "--show-scope", "--show-origin", "-z"],
  ]);
  if (!listed.ok) return listed;
  if (listed.value.exitCode !== 0)
    return fail("invalid-input", "git cannot say where its settings are from.");
  return ok({
    folder: run.cwd,
    gitFolder,
    commonFolder,
    ...(top.value.exitCode === 0 && { worktree: top.value.output.replace(/\n$/, "") }),
    settings: parseRepositorySettings(listed.value.output),
  });
}

const isMissing = (code: string) => code === "not-found" || code === "not-directory";

function withinLimit(settings: GitSettings): Result<GitSettings> {
  if (settings.length <= maxSettings) return ok(settings);
  return fail("too-large", `The configuration of git names more than ${maxSettings} programs.`);
}

/** None outside of a work tree. */
async function readTracked(run: GitRun, worktree: string | undefined): Promise<Result<TrackedPaths>> {
  if (worktree === undefined) return ok({ submodules: [], folders: [] });
  const args = ["ls-files", "--stage", "-z", "--full-name", ":/"];
  const listed = await start({ ...run, maxBytes: maxIndexBytes }, args);
  if (!listed.ok) return listed;
  const { exitCode, output, words } = listed.value;
  if (exitCode !== 0) return fail("io", `git cannot list the files: ${words.trim()}`);
  return ok(parseTrackedPaths(output));
}

async function start(
  { shell, environment, workspace = [], cwd, signal, settings = [], maxBytes = defaultMaxBytes }: GitRun,
  args: readonly string[],
): Promise<Result<GitAnswer>> {
  if (signal.aborted) return fail("timeout", "git did not answer in time.");
  const output: Record<"stdout" | "stderr", Uint8Array[]> = { stdout: [], stderr: [] };
  let bytesRead = 0;
  const known = Object.fromEntries(needed.map((name) => [name, environment[name]]));
  const child = shell.start("git", args, {
    cwd,
    environment: {
      ...toGitEnvironment({ environment: known, folders: [cwd, ...workspace], settings }),
      LC_ALL: "C",
    },
    onOutput(bytes, stream) {
      if (bytesRead >= maxBytes) return;
      bytesRead += bytes.length;
      output[stream].push(bytes);
      if (bytesRead >= maxBytes) child.kill();
    },
  });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop, { once: true });
  const ended = await child.ended;
  signal.removeEventListener("abort", stop);
  if (!ended.ok) return ended;
  if (signal.aborted) return fail("timeout", "git did not answer in time.");
  if (bytesRead >= maxBytes) return fail("too-large", `git put out more than ${maxBytes} bytes.`);
  const { exitCode } = ended.value;
  const bytes = Buffer.concat(output.stdout);
  return ok({
    exitCode,
    output: bytes.toString("utf8"),
    isText: isUtf8(bytes),
    words: Buffer.concat(output.stderr).toString("utf8"),
  });
}
