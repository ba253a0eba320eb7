import { isUncertain, isUnknown } from "./commands/unknown-text.ts";

/** The files whose contents git, called so, shows. */
export interface GitReads {
  /** The folder it goes to first, from where it runs; empty where it stays. */
  readonly folder: string;
  /** The subcommand with its words, as they would stand without the options before it. */
  readonly words: readonly string[];
  /** Of everything in the repository, of these paths and all below them, or of no file. */
  readonly shows: "everything" | "nothing" | readonly string[];
}

/** Options before the subcommand whose value is the next word. */
const withValue =
  /^(?:-C|-c|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source))$/;

/** Commands that show no contents of files: they change, move, name and count. */
const quiet: ReadonlySet<string> = new Set(
  `add am apply bisect branch check-attr check-ignore check-ref-format checkout cherry-pick clean clone commit commit-tree
  config count-objects describe fetch for-each-ref fsck gc hash-object help init ls-files ls-remote ls-tree maintenance
  merge merge-base mktree mv name-rev notes pack-refs prune pull push read-tree rebase remote repack replace reset restore
  rev-list rev-parse revert rm shortlog show-branch show-ref sparse-checkout stash submodule switch symbolic-ref tag
  update-index update-ref update-server-info var verify-commit verify-tag version worktree write-tree`.split(
    /\s+/,
  ),
);

/** Options with which some of them do, shortened too. */
const showing: Readonly<Record<string, RegExp>> = {
  add: /^(?:-[nvfuNA]*[pie]|--(?:pat|int|ed))/,
  am: /^--show-/,
  checkout: /^(?:-[qfmldt23]*p|--pat)/,
  commit: /^(?:-[aeinoqsuz]*[pv]|--(?:pat|int|verb))/,
  rebase: /^--show-/,
  reset: /^(?:-[qN]*p|--pat)/,
  restore: /^(?:-[qWSm23]*p|--pat)/,
};

/** Second words that make something else of a command. */
const secondWords: Readonly<Record<string, RegExp>> = {
  bisect: /^(?!view|visualize)/,
  reflog: /^(?:expire|delete|exists)$/,
  stash: /^(?:push|pop|apply|drop|clear|list|branch|create|store|save)$/,
};

/** Options of the quiet forms of `git stash`. */
const stashOptions =
  /^(?:--(?:keep-index|no-keep-index|include-untracked|all|quiet|index|staged|message(?:=.*)?)|-[kuaqSm]+)$/;

/** They show no more than of the paths behind `--`, unless an option says otherwise. */
const narrowing: ReadonlySet<string> = new Set(
  "annotate archive blame diff diff-files diff-index diff-tree format-patch grep log ls-files whatchanged".split(
    " ",
  ),
);
const widening = /^--(?:full-diff|follow)$/;

/** A name of commits; what looks like an id may be one of a file's contents. */
const commits = /^(?!\^?[0-9a-f]{4,64}$)\^?[\w@][\w./@{}~^-]*$/;

/**
 * The reads of git where its grammar is not known as a whole. A command that is not known counts as one that shows
 * everything: it may be an alias.
 */
export function gitReads([, ...rest]: readonly string[]): GitReads {
  const aliases = new Map<string, string>();
  let [at, folder, isElsewhere] = [0, "", false];
  for (; /^-/.test(rest[at] ?? ""); at += 1) {
    const word = rest[at] ?? "";
    isElsewhere ||= /^--(?:git-dir|work-tree)/.test(word);
    if (!withValue.test(word)) continue;
    at += 1;
    if (word === "-C") folder = joinPath(folder, rest[at] ?? "");
    const [, alias, meaning] = /^alias\.([^=]+)=([^!][\s\S]*)$/i.exec(rest[at] ?? "") ?? [];
    if (word === "-c" && alias !== undefined) aliases.set(alias, meaning ?? "");
  }
  const meant = aliases.get(rest[at] ?? "")?.split(/\s+/);
  const words = meant === undefined ? rest.slice(at) : [...meant, ...rest.slice(at + 1)];
  const [subcommand] = words;
  if (subcommand === undefined) return { folder, words, shows: "nothing" };
  return { folder, words, shows: isElsewhere && !quiet.has(subcommand) ? "everything" : shownBy(words) };
}

function shownBy([subcommand = "", ...rest]: readonly string[]): GitReads["shows"] {
  if (isQuiet(subcommand, rest)) return "nothing";
  if (subcommand === "diff" && rest.includes("--no-index")) return rest.filter((word) => /^[^-]/.test(word));
  const end = rest.indexOf("--");
  const [before, paths] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const isNarrow =
    narrowing.has(subcommand) &&
    paths.length > 0 &&
    paths.every((path) => !isUnknown(path) && !path.startsWith(":")) &&
    before.every(
      (word) => !widening.test(word) && !isUncertain(word) && (/^-/.test(word) || commits.test(word)),
    );
  return isNarrow ? paths.map(withoutPattern) : "everything";
}

function isQuiet(subcommand: string, rest: readonly string[]): boolean {
  const second = Object.hasOwn(secondWords, subcommand) ? secondWords[subcommand] : undefined;
  if (second !== undefined && rest.length > 0 && !/^-/.test(rest[0] ?? "") && !second.test(rest[0] ?? ""))
    return false;
  if (subcommand === "reflog") return second?.test(rest[0] ?? "") ?? false;
  if (!quiet.has(subcommand)) return false;
  if (subcommand === "stash") return rest.every((word) => !/^-/.test(word) || stashOptions.test(word));
  const shown = Object.hasOwn(showing, subcommand) ? showing[subcommand] : undefined;
  return shown === undefined || !rest.some((word) => shown.test(word));
}

/** Git's patterns stand for slashes too: all below the last folder before one. */
function withoutPattern(path: string): string {
  const growing = path.search(/[*?[\\\ue000-\ue002]/);
  return growing < 0 ? path : path.slice(0, path.lastIndexOf("/", growing) + 1) || ".";
}

function joinPath(folder: string, next: string): string {
  return folder === "" || next.startsWith("/") ? next : `${folder}/${next}`;
}
