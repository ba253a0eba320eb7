import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";
import { fixedSettings, type GitSettings } from "./program-settings.ts";

/**
 * A list with one protocol that nobody can have: a helper for `none` could be an alias of the repository's, and so could
 * one for an empty name.
 */
const noProtocol = "!";

/** Nothing is fetched, asked, opened or written besides what a command is for. */
const quiet: Readonly<Record<string, string>> = {
  GIT_ALLOW_PROTOCOL: noProtocol,
  GIT_NO_LAZY_FETCH: "1",
  GIT_PROTOCOL_FROM_USER: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_SSH_COMMAND: "false",
  GIT_PROXY_COMMAND: "false",
  GIT_TEMPLATE_DIR: "",
};

export interface GitEnvironmentOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where git runs, and other folders that may be hostile: programs that lie in them are not found. */
  readonly folders: readonly string[];
  /** Against the programs that the configuration names, besides those that are always turned off. */
  readonly settings: GitSettings;
}

/**
 * The environment in which git runs nothing that a repository names. Every variable of git's own in the given one is
 * left out; everything else is kept.
 */
export function toGitEnvironment(options: GitEnvironmentOptions): Readonly<Record<string, string>> {
  const { environment, folders, settings } = options;
  const kept = Object.entries(environment).filter(
    (variable): variable is [string, string] => variable[1] !== undefined && !variable[0].startsWith("GIT_"),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: toSearchPath(environment, folders),
    ...quiet,
    ...toSettingVariables([...fixedSettings, ...settings]),
  };
}

/** Settings as variables of the environment: git's children have them too, in submodules as well. */
export function toSettingVariables(settings: GitSettings): Readonly<Record<string, string>> {
  const variables = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(settings.length) };
}

/** Stands for no folder: an empty search path would mean the working folder. */
const noFolder = "/nonexistent";

/** Without the programs of the folders. Whoever works in the home folder has the programs in it. */
function toSearchPath(
  { PATH = "", HOME }: GitEnvironmentOptions["environment"],
  folders: readonly string[],
): string {
  const isHome = (folder: string) => HOME !== undefined && isAbsolute(HOME) && isWithin(folder, HOME);
  const hostile = folders.filter((folder) => folder !== sep && !isHome(folder));
  const path = PATH.split(delimiter).filter(
    (one) => isAbsolute(one) && !hostile.some((folder) => isWithin(folder, one)),
  );
  return path.join(delimiter) || noFolder;
}

function isWithin(root: string, path: string): boolean {
  const way = relative(resolve(root), resolve(path));
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
