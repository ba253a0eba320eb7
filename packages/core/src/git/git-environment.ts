import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";

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

interface GitEnvironmentOptions {
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

/** Settings of git as it is handed them: the last one of a name wins, and these come after every file. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/**
 * In place of a diff program: git cannot be told to have none, and fails on an empty name. Shows the file as git's own
 * diff would, with fewer header lines.
 */
const plainDiff =
  'f() { printf "diff --git a/%s b/%s\\n" "$1" "$1"; diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; f';

/** Turned off in every repository, whatever its configuration says. */
export const fixedSettings: GitSettings = [
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.untrackedCache", "false"],
  ["core.pager", "cat"],
  ["core.editor", "true"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.alternateRefsCommand", "true"],
  ["sequence.editor", "true"],
  ["interactive.diffFilter", "cat"],
  ["credential.helper", ""],
  ["log.showSignature", "false"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["gpg.ssh.defaultKeyCommand", "false"],
  ["protocol.allow", "never"],
  // Else git looks into folders that were submodules once, whose configuration is not known.
  ["diff.submodule", "short"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["status.submoduleSummary", "false"],
  ["init.templateDir", ""],
  ["gc.auto", "0"],
  ["gc.autoDetach", "false"],
  ["maintenance.auto", "false"],
];

const driver = (section: string, variables: readonly (readonly [string, string])[]) => ({
  names: new RegExp(`^${section}\\.`),
  settings: (name: string): GitSettings => {
    const subsection = name.slice(0, name.lastIndexOf("."));
    return subsection.includes(".")
      ? variables.map(([variable, value]) => [`${subsection}.${variable}`, value] as const)
      : [];
  },
});

const alwaysSet = (names: RegExp, value: string) => ({
  names,
  settings: (name: string): GitSettings => [[name, value]],
});

/** Names that a configuration chooses freely: they have to be known to be turned off. */
const chosen: readonly {
  readonly names: RegExp;
  readonly settings: (name: string) => GitSettings;
}[] = [
  driver("filter", [
    ["clean", ""],
    ["smudge", ""],
    ["process", ""],
    ["required", "false"],
  ]),
  alwaysSet(/^diff\.external$/, plainDiff),
  alwaysSet(/^diff\.[\s\S]*\.command$/, plainDiff),
  alwaysSet(/^diff\.[\s\S]*\.textconv$/, "cat"),
  alwaysSet(/^diff\.[\s\S]*\.cachetextconv$/, "false"),
  alwaysSet(/^merge\.[\s\S]*\.driver$/, "false"),
  alwaysSet(/^pager\./, "false"),
  alwaysSet(/^gpg\.[\s\S]*\.(?:program|defaultkeycommand)$/, "false"),
  alwaysSet(/^credential\.[\s\S]*\.helper$/, ""),
  alwaysSet(/^trailer\.[\s\S]*\.(?:cmd|command)$/, "true"),
  alwaysSet(/^hook\.[\s\S]*\.command$/, "true"),
  alwaysSet(/^hook\.[\s\S]*\.enabled$/, "false"),
  alwaysSet(/^submodule\.[\s\S]*\.update$/, "none"),
  alwaysSet(/^(?:difftool|mergetool|guitool|browser|man|tar)\.[\s\S]*\.(?:cmd|path|command)$/, "false"),
];

const fixedNames = new Set(fixedSettings.map(([name]) => name.toLowerCase()));

/** Turns off the programs among the names that a configuration sets, as `git config --list --name-only` gives them. */
export function settingsAgainst(names: readonly string[]): GitSettings {
  const settings = new Map<string, string>();
  for (const name of names.filter((one) => !fixedNames.has(one))) {
    for (const { names: matching, settings: off } of chosen) {
      if (matching.test(name)) for (const [key, value] of off(name)) settings.set(key, value);
    }
  }
  return [...settings];
}
