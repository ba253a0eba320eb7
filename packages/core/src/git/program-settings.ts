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

const every = (names: RegExp, value: string) => ({
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
  every(/^diff\.external$/, plainDiff),
  every(/^diff\.[\s\S]*\.command$/, plainDiff),
  every(/^diff\.[\s\S]*\.textconv$/, "cat"),
  every(/^diff\.[\s\S]*\.cachetextconv$/, "false"),
  every(/^merge\.[\s\S]*\.driver$/, "false"),
  every(/^pager\./, "false"),
  every(/^gpg\.[\s\S]*\.(?:program|defaultkeycommand)$/, "false"),
  every(/^credential\.[\s\S]*\.helper$/, ""),
  every(/^trailer\.[\s\S]*\.(?:cmd|command)$/, "true"),
  every(/^hook\.[\s\S]*\.command$/, "true"),
  every(/^hook\.[\s\S]*\.enabled$/, "false"),
  every(/^submodule\.[\s\S]*\.update$/, "none"),
  every(/^(?:difftool|mergetool|guitool|browser|man|tar)\.[\s\S]*\.(?:cmd|path|command)$/, "false"),
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
