import type { ProgramGrammar } from "../program-grammar.ts";

/** These write, run a program of the repository's, or read what another file names; no subcommand may have them. */
const harmful = `!output=path, !ext-diff, !textconv, !filters, !open-files-in-pager[=text], !O[=path], !contents=path,
  !show-signature, !exec=text, !upload-pack=text, !edit, !delete, !no-index, !submodule[=text], !paginate, !stdin,
  !pathspec-from-file=path, !parseopt, !batch, !batch-check, !batch-command`;

const revisions = `all, branches[=text], tags[=text], remotes[=text], max-count=number, skip=number, since=text,
  after=text, until=text, before=text, author=text, committer=text, grep=text, all-match, invert-grep,
  regexp-ignore-case, extended-regexp, fixed-strings, perl-regexp, merges, no-merges, first-parent, reverse, topo-order,
  date-order, author-date-order, left-right, left-only, right-only, cherry, cherry-pick, cherry-mark, ancestry-path,
  count, boundary, no-walk, walk-reflogs, full-history, simplify-merges, simplify-by-decoration, dense, sparse`;

const shown = `oneline, graph, no-graph, decorate[=text], no-decorate, decorate-refs=text, decorate-refs-exclude=text,
  abbrev-commit, no-abbrev-commit, abbrev[=number], no-abbrev, date=text, relative-date, follow, format[=text],
  pretty[=text], no-notes, color[=text], no-color, parents, children, no-mailmap, source, log-size, expand-tabs,
  no-expand-tabs, full-diff, clear-decorations`;

const differences = `patch, no-patch, patch-with-stat, unified[=number], stat[=text], numstat, shortstat, dirstat[=text],
  summary, compact-summary, name-only, name-status, raw, cached, staged, merge-base, diff-filter=text,
  find-renames[=text], find-copies[=text], find-copies-harder, break-rewrites[=text], no-renames, ignore-all-space,
  ignore-space-change, ignore-space-at-eol, ignore-cr-at-eol, ignore-blank-lines, word-diff[=text],
  word-diff-regex[=text], color-words[=text], color-moved[=text], no-color-moved, minimal, patience, histogram,
  diff-algorithm=text, anchored=text, function-context, no-ext-diff, no-textconv, full-index, binary, check, exit-code,
  quiet, relative[=text], no-relative, no-prefix, src-prefix=text, dst-prefix=text, pickaxe-regex, pickaxe-all,
  find-object=text, inter-hunk-context=number, text, irreversible-delete, ignore-submodules[=text], cc,
  combined-all-paths, diff-merges[=text], base, ours, theirs, color[=text], no-color, U[=number], S=text, G=text,
  l[=number], M[=text], C[=text], B[=text], D, -psuzbwrtqicmRWa`;

/** Subcommands that read the files of the repository, or what they were. */
const reading = {
  operands: "path",
  recursion: "always",
  folderByDefault: "always",
} as const satisfies ProgramGrammar;

/** Subcommands that name commits, branches and settings. */
const naming = { operands: "text" } as const satisfies ProgramGrammar;
const nothing = { operands: "none" } as const satisfies ProgramGrammar;

const log: ProgramGrammar = {
  ...reading,
  options: `${revisions}, ${shown}, ${differences}, -gEFP, n=number, L=text`,
  hasCount: true,
};

const listed = "color[=text], no-color, sort[=text], format[=text], column[=text], no-column, ignore-case";

const subcommands: Readonly<Record<string, ProgramGrammar>> = {
  log,
  show: log,
  diff: { ...reading, options: differences },
  shortlog: {
    ...naming,
    options: `${revisions}, -nsec, numbered, summary, email, group=text, format[=text], w[=text]`,
  },
  "rev-list": {
    ...naming,
    options: `${revisions}, n=number, oneline, objects, parents, pretty[=text], format[=text], abbrev-commit, abbrev[=number]`,
    hasCount: true,
  },
  status: {
    ...reading,
    options: `s short, b branch, v verbose, z null, porcelain[=text], long, show-stash, u untracked-files[=text],
      ignored[=text], ignore-submodules[=text], ahead-behind, no-ahead-behind, renames, no-renames,
      find-renames[=text], column[=text], no-column`,
  },
  blame: {
    ...reading,
    options: `-wsetlfnpcb, M[=text], C[=text], L=text, porcelain, line-porcelain, incremental, date=text, show-email,
      show-name, show-number, show-stats, root, since=text, ignore-rev=text, ignore-revs-file=path, color-lines,
      color-by-age, abbrev=number, reverse, first-parent, no-progress, score-debug`,
  },
  "ls-files": {
    ...reading,
    options: `-cdmosktvzfi, x exclude=text, X exclude-from=path, cached, deleted, modified, others, ignored, stage,
      unmerged, killed, directory, no-empty-directory, eol, exclude-standard, exclude-per-directory=path, full-name,
      error-unmatch, deduplicate, abbrev[=number], format[=text]`,
  },
  "ls-tree": {
    ...reading,
    options:
      "-rtdlz, name-only, name-status, object-only, full-name, full-tree, long, abbrev[=number], format[=text]",
  },
  "cat-file": { ...reading, options: "-ptes" },
  grep: {
    ...reading,
    options: `-aniIlLcwvhHEFGPpWqozr, f=path, e=text, A after-context=number, B before-context=number, C context=number,
      m max-count=number, line-number, column, ignore-case, files-with-matches, files-without-match, name-only, count,
      all-match, word-regexp, invert-match, extended-regexp, basic-regexp, fixed-strings, perl-regexp, cached, untracked,
      exclude-standard, no-exclude-standard, heading, break, show-function, function-context, only-matching, full-name,
      text, quiet, null, max-depth=number, recursive, no-recursive, threads=number, and, or, not, color[=text],
      no-color`,
    firstOperand: [/^/, "e", "f"],
    marks: /^[()]$/,
    hasCount: true,
  },
  "check-ignore": { ...reading, options: "q quiet, v verbose, z, n non-matching, no-index" },
  "rev-parse": {
    ...naming,
    options: `show-toplevel, show-prefix, show-cdup, git-dir, git-common-dir, absolute-git-dir, is-inside-git-dir,
      is-inside-work-tree, is-bare-repository, is-shallow-repository, abbrev-ref[=text], short[=number], verify,
      q quiet, symbolic, symbolic-full-name, all, branches[=text], tags[=text], remotes[=text], sq, not, revs-only`,
  },
  // With `--dirty` or `--broken` it writes the index.
  describe: {
    ...naming,
    options: `tags, all, always, long, abbrev[=number], exact-match, contains, match=text, exclude=text, first-parent,
      candidates=number`,
  },
  "merge-base": { ...naming, options: "a all, is-ancestor, fork-point, octopus, independent" },
  "name-rev": { ...naming, options: "tags, refs=text, exclude=text, all, name-only, no-undefined, always" },
  "for-each-ref": {
    ...naming,
    options: `count=number, sort=text, format=text, s shell, p perl, python, tcl, color[=text], points-at=text,
      merged[=text], no-merged[=text], contains[=text], no-contains[=text], ignore-case, omit-empty`,
  },
  "show-ref": {
    ...naming,
    options: "head, heads, branches, tags, d dereference, s hash[=number], verify, abbrev[=number], q quiet",
  },
  // An operand is a new branch, or a new tag.
  branch: {
    ...nothing,
    options: `-arvi, all, remotes, verbose, show-current, list, no-abbrev, abbrev[=number], contains=text,
      no-contains=text, merged=text, no-merged=text, points-at=text, ${listed}`,
  },
  tag: { ...nothing, options: `-li, list, contains=text, no-contains=text, points-at=text, ${listed}` },
  remote: { ...nothing, options: "v verbose" },
  reflog: {
    ...naming,
    options: "n=number, oneline, date=text, all",
    hasCount: true,
    operand: /^show$/,
    maxOperands: 1,
  },
  "count-objects": { ...nothing, options: "v verbose, H human-readable" },
  version: { ...nothing, options: "build-options" },
};

/** Two words that say as much as a subcommand. */
const pairs: Readonly<Record<string, ProgramGrammar>> = {
  "remote get-url": { ...naming, options: "push, all", maxOperands: 1 },
  "stash list": { ...nothing, options: "n=number, oneline, date=text, stat", hasCount: true },
  "stash show": {
    ...reading,
    options: `-pu, patch, stat, numstat, shortstat, name-only, name-status, include-untracked, only-untracked`,
    maxOperands: 1,
  },
  "worktree list": { ...nothing, options: "v verbose, z, porcelain" },
  "tag -l": { ...naming, options: listed },
  "tag --list": { ...naming, options: listed },
  "config --get": { ...naming, maxOperands: 1, operand: /^[A-Za-z0-9.-]+$/ },
  "config --list": { ...nothing, options: "show-origin, show-scope, name-only" },
  "config -l": { ...nothing, options: "show-origin, show-scope, name-only" },
};

/** The grammar of a subcommand and how many words name it. */
export function findSubcommand(
  first: string,
  second: string,
): { readonly grammar: ProgramGrammar; readonly words: number } | undefined {
  const pair = `${first} ${second}`;
  const [table, name, words] = Object.hasOwn(pairs, pair) ? [pairs, pair, 2] : [subcommands, first, 1];
  const grammar = Object.hasOwn(table, name) ? table[name] : undefined;
  if (grammar === undefined) return undefined;
  // A subcommand's own options stand before those of all.
  return { grammar: { ...grammar, options: `${harmful}, ${grammar.options ?? ""}` }, words };
}
