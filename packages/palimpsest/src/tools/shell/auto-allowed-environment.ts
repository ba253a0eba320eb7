import { createGit, findOutsideRead, type OutsideRead, toGitEnvironment } from "@palimpsest/core/internal";
import {
  type Clock,
  type Disk,
  fail,
  ok,
  type PalimpsestError,
  type Result,
  type Shell,
} from "@palimpsest/core/spec";
import { isReadOnlyCommand } from "./read-only/command-reads.ts";

export interface AutoAllowedEnvironmentOptions {
  readonly shell: Shell;
  readonly disk: Disk;
  /** Of every command. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders whose programs are not taken for git. */
  readonly workspace?: readonly string[];
  readonly projectFolder?: string;
}

/** The environment that a command gets in a folder; a failure says why it must not run there. */
export type EnvironmentFor = (
  command: string,
  context: { readonly folder: string; readonly cwd: string; readonly clock: Clock },
) => Promise<Result<Readonly<Record<string, string>>>>;

/** How long git may take to say where it looks and which programs its configuration names. */
const limits = { timeoutMs: 20_000 };

/**
 * A command that is known to change nothing runs without anybody being asked. So git in it runs no program that the
 * repository names: those are asked for and turned off. And it is not run where the repository makes git read outside of
 * the workspace. Every other command was allowed by a rule or a person, and runs as they would run it.
 */
export function createAutoAllowedEnvironment({
  shell,
  disk,
  environment,
  workspace = [],
  projectFolder,
}: AutoAllowedEnvironmentOptions): EnvironmentFor {
  return async (command, { folder, cwd, clock }) => {
    if (!isReadOnlyCommand(command) || !mayRunGit(command)) return ok(environment);
    const folders = [folder, cwd, ...workspace, ...(projectFolder === undefined ? [] : [projectFolder])];
    const git = createGit({ shell, clock, environment, workspace: folders });
    const found = await git.readRepositories(folder, limits);
    if (!found.ok && found.error.code !== "not-found") return refuseUnknownPrograms(folder, found.error);
    const { settings, repositories } = found.ok ? found.value : { settings: [], repositories: [] };
    const read = await findOutsideRead({ disk, folders, environment }, repositories);
    if (read !== undefined) return readsOutside(folder, read);
    return ok(toGitEnvironment({ environment, folders, settings }));
  };
}

function refuseUnknownPrograms(path: string, cause: PalimpsestError): Result<never> {
  return fail(cause.code, `The command was not run: ${cause.message}`, {
    path,
    fix: "git runs unasked only where the programs that its configuration names can be turned off. Look at the configuration, or read the files themselves.",
    cause,
  });
}

function readsOutside(folder: string, { what, path }: OutsideRead): Result<never> {
  return fail(
    "denied",
    `The command was not run: the repository makes git read outside of the workspace, by ${what}: ${path}`,
    {
      path: folder,
      fix: "git runs unasked only where it stays inside the workspace. Add that folder to the workspace if it belongs to it, read the files themselves, or write the command as `git -C . …`: a person is asked then, and what they allow runs as they would run it.",
    },
  );
}

/** A shell joins what is quoted in pieces. */
const mayRunGit = (command: string) => /git/i.test(command.replace(/["'\\]/g, ""));
