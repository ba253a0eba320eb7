import { fitsRules, type OptionRules } from "./option-rules.ts";

const revisionWords = [
  "--all",
  "--branches",
  "--tags",
  "--remotes",
  "--max-count",
  "--skip",
  "--since",
  "--after",
  "--until",
  "--before",
  "--author",
  "--committer",
  "--grep",
  "--invert-grep",
  "--regexp-ignore-case",
  "--merges",
  "--no-merges",
  "--first-parent",
  "--reverse",
  "--topo-order",
  "--date-order",
  "--left-right",
  "--cherry-pick",
  "--ancestry-path",
  "--count",
] as const;

const showWords = [
  "--oneline",
  "--graph",
  "--decorate",
  "--no-decorate",
  "--abbrev-commit",
  "--no-abbrev-commit",
  "--abbrev",
  "--date",
  "--relative-date",
  "--follow",
  "--format",
  "--pretty",
  "--no-notes",
  "--color",
  "--no-color",
] as const;

const diffWords = [
  "--patch",
  "--no-patch",
  "--unified",
  "--stat",
  "--numstat",
  "--shortstat",
  "--dirstat",
  "--summary",
  "--compact-summary",
  "--name-only",
  "--name-status",
  "--raw",
  "--cached",
  "--staged",
  "--merge-base",
  "--diff-filter",
  "--find-renames",
  "--find-copies",
  "--no-renames",
  "--ignore-all-space",
  "--ignore-space-change",
  "--ignore-space-at-eol",
  "--ignore-blank-lines",
  "--word-diff",
  "--minimal",
  "--patience",
  "--histogram",
  "--function-context",
  "--no-ext-diff",
  "--no-textconv",
  "--full-index",
  "--check",
  "--exit-code",
  "--quiet",
  "--relative",
  "--no-prefix",
  "--pickaxe-regex",
  "--color",
  "--no-color",
] as const;

const log: OptionRules = {
  letters: "psuzbwrtqicmgEFPMCRW",
  valued: "nUSGL",
  words: [...revisionWords, ...showWords, ...diffWords],
  hasCount: true,
};

/** By subcommand. None has an option here that writes, runs a program, asks the network or opens a pager. */
const subcommands: Readonly<Record<string, OptionRules>> = {
  log,
  show: log,
  diff: { letters: "psuzbwrtqiMCRWa", valued: "USGl", words: [...diffWords] },
  shortlog: { letters: "nsec", words: [...revisionWords] },
  "rev-list": { valued: "n", words: [...revisionWords, "--oneline", "--objects"], hasCount: true },
  status: {
    letters: "sbvz",
    valued: "u",
    words: [
      "--short",
      "--branch",
      "--porcelain",
      "--long",
      "--show-stash",
      "--untracked-files",
      "--ignored",
      "--ignore-submodules",
      "--ahead-behind",
      "--no-ahead-behind",
      "--renames",
      "--no-renames",
    ],
  },
  blame: {
    letters: "wsetlfnpcMC",
    valued: "L",
    words: ["--porcelain", "--line-porcelain", "--date", "--show-email", "--show-name", "--show-number"],
  },
  "ls-files": {
    letters: "cdmosktvz",
    valued: "x",
    words: [
      "--cached",
      "--deleted",
      "--modified",
      "--others",
      "--ignored",
      "--stage",
      "--exclude-standard",
      "--exclude",
      "--full-name",
      "--error-unmatch",
    ],
  },
  "ls-tree": {
    letters: "rtdlz",
    words: ["--name-only", "--name-status", "--full-name", "--full-tree", "--long"],
  },
  "cat-file": { letters: "ptes" },
  "rev-parse": {
    words: [
      "--show-toplevel",
      "--show-prefix",
      "--show-cdup",
      "--git-dir",
      "--git-common-dir",
      "--absolute-git-dir",
      "--is-inside-work-tree",
      "--is-bare-repository",
      "--abbrev-ref",
      "--short",
      "--verify",
      "--quiet",
      "--symbolic-full-name",
    ],
    letters: "q",
  },
  describe: {
    words: [
      "--tags",
      "--all",
      "--always",
      "--long",
      "--abbrev",
      "--exact-match",
      "--contains",
      "--match",
      "--dirty",
    ],
  },
  "merge-base": { letters: "a", words: ["--all", "--is-ancestor", "--fork-point", "--octopus"] },
  grep: {
    letters: "niIlLcwvhHEFGPpWqoz",
    valued: "eABCm",
    words: [
      "--line-number",
      "--ignore-case",
      "--files-with-matches",
      "--count",
      "--word-regexp",
      "--extended-regexp",
      "--fixed-strings",
      "--perl-regexp",
      "--cached",
      "--untracked",
      "--no-index",
      "--heading",
      "--break",
      "--and",
      "--or",
      "--not",
      "--color",
      "--no-color",
    ],
  },
  branch: {
    letters: "arvi",
    words: [
      "--all",
      "--remotes",
      "--verbose",
      "--show-current",
      "--list",
      "--color",
      "--no-color",
      "--sort",
      "--format",
    ],
    maxOperands: 0,
  },
  tag: { letters: "li", words: ["--list", "--sort", "--format"], maxOperands: 0 },
  remote: { letters: "v", words: ["--verbose"], maxOperands: 0 },
  reflog: { valued: "n", hasCount: true, words: ["--oneline", "--date"], maxOperands: 1, operand: /^show$/ },
  "count-objects": { letters: "vH", words: ["--verbose", "--human-readable"], maxOperands: 0 },
  version: { words: ["--build-options"], maxOperands: 0 },
};

/** Two words that say as much as a subcommand. */
const pairs: Readonly<Record<string, OptionRules>> = {
  "remote get-url": { words: ["--push", "--all"], maxOperands: 1 },
  "stash list": { valued: "n", hasCount: true, words: ["--oneline", "--date", "--stat"], maxOperands: 0 },
  "stash show": {
    letters: "pu",
    words: ["--patch", "--stat", "--name-only", "--name-status"],
    maxOperands: 1,
  },
  "worktree list": { letters: "vz", words: ["--porcelain", "--verbose"], maxOperands: 0 },
  "config --get": { maxOperands: 1, operand: /^[A-Za-z0-9.-]+$/ },
  "config --list": { words: ["--show-origin", "--show-scope", "--name-only"], maxOperands: 0 },
  "config -l": { maxOperands: 0 },
};

/** Signatures are checked by a program that the repository's configuration names. */
const asksForSignature = /%[+\- ]?G|signature/;

/**
 * Whether git, called so, changes nothing: no options before the subcommand but two, which turn things off. What the
 * configuration of the repository makes git run (a file monitor, an external diff) is not judged here: whoever may
 * write that configuration may run programs.
 */
export function isReadOnlyGit(words: readonly string[]): boolean {
  const from = words.findIndex((word) => word !== "--no-pager" && word !== "--no-optional-locks");
  if (from === -1) return false;
  const [subcommand = "", second = ""] = words.slice(from);
  if (words.some((word) => asksForSignature.test(word))) return false;
  if (words.length === 1 && subcommand === "--version") return true;
  const pair = `${subcommand} ${second}`;
  if (Object.hasOwn(pairs, pair)) return fitsRules(words.slice(from + 2), pairs[pair] as OptionRules);
  if (!Object.hasOwn(subcommands, subcommand)) return false;
  return fitsRules(words.slice(from + 1), subcommands[subcommand] as OptionRules);
}
