import type { ProgramGrammar } from "../program-grammar.ts";

const anyText = /^/;

/** A filter of jq that asks neither for the environment, but for a field of that name, nor for a module. */
const plainFilter =
  /^(?!.*(?:(?<![.\w])env\b|\.\.\s*env|\$\s*(?:ENV|__prog)|input_filename|import|include|modulemeta|get_search_list))/s;

const grep: ProgramGrammar = {
  isShortening: true,
  hasCount: true,
  options: `E extended-regexp, F fixed-strings, G basic-regexp, P perl-regexp, e regexp=text, f file=path,
    -iy, ignore-case, no-ignore-case, w word-regexp, x line-regexp, z null-data, s no-messages, v invert-match,
    V version, help, m max-count=number, b byte-offset, n line-number, line-buffered, H with-filename, h no-filename,
    label=text, o only-matching, q quiet silent, binary-files=text, a text, I, d directories=text, D devices=text,
    r recursive, R dereference-recursive, include=text, exclude=text, exclude-from=path, exclude-dir=text,
    L files-without-match, l files-with-matches, c count, T initial-tab, Z null, B before-context=number,
    A after-context=number, C context=number, group-separator=text, no-group-separator, color[=text], colour[=text],
    U binary, u unix-byte-offsets`,
  firstOperand: [anyText, "e", "f"],
  followsLinks: [["R"]],
  recursion: ["r", "R", "d"],
  folderByDefault: "recursive",
};

/** Programs that look for text in files. */
export const searchPrograms: Readonly<Record<string, ProgramGrammar>> = {
  egrep: grep,
  fgrep: grep,
  grep,
  // A filter may print the environment, or read modules; so may a file with one.
  jq: {
    options: `a ascii-output, C color-output, c compact-output, e exit-status, h help, j join-output, M monochrome-output,
      n null-input, R raw-input, r raw-output, raw-output0, S sort-keys, s slurp, V version, arg=text+text, args,
      argjson=text+text, jsonargs, slurpfile=text+path, rawfile=text+path, argfile=text+path, indent=number, tab, seq,
      stream, stream-errors, unbuffered, !f from-file, !L=text, !i in-place, !debug-dump-disasm, !debug-trace[=text],
      !run-tests`,
    firstOperand: [plainFilter],
  },
  // `--pre`, `--hostname-bin` and `--search-zip` start programs; nothing may be shortened.
  rg: {
    options: `e regexp=text, f file=path, A after-context=number, B before-context=number, C context=number, a text,
      no-text, binary, no-binary, block-buffered, b byte-offset, s case-sensitive, color=text, colors=text, column,
      no-column, context-separator=text, no-context-separator, c count, count-matches, crlf, no-crlf, !debug,
      dfa-size-limit=text, E encoding=text, engine=text, field-context-separator=text, field-match-separator=text,
      files, l files-with-matches, files-without-match, F fixed-strings, no-fixed-strings, L follow, no-follow,
      !generate=text, g glob=text, glob-case-insensitive, heading, no-heading, h help, hidden, -., no-hidden,
      !hostname-bin=text, !hyperlink-format=text, iglob=text, i ignore-case, ignore-file=path,
      ignore-file-case-insensitive, include-zero, v invert-match, json, line-buffered, n line-number, N no-line-number,
      x line-regexp, M max-columns=number, max-columns-preview, m max-count=number, d max-depth maxdepth=number,
      max-filesize=text, mmap, no-mmap, U multiline, multiline-dotall, no-multiline, no-config, no-filename, I,
      no-ignore, no-ignore-dot, no-ignore-exclude, no-ignore-files, no-ignore-global, no-ignore-messages,
      no-ignore-parent, no-ignore-vcs, no-messages, no-pcre2-unicode, no-require-git, no-unicode, 0 null, null-data,
      one-file-system, o only-matching, passthru, path-separator=text, P pcre2, pcre2-version, no-pcre2, !pre=text,
      !pre-glob=text, no-pre, p pretty, q quiet, regex-size-limit=text, r replace=text, !z search-zip, no-search-zip,
      S smart-case, sort=text, sortr=text, sort-files, stats, stop-on-nonmatch, j threads=number, trace, trim, no-trim,
      t type=text, type-add=text, type-clear=text, type-list, T type-not=text, u unrestricted, V version, vimgrep,
      H with-filename, w word-regexp, auto-hybrid-regex, no-json, no-stats, no-encoding`,
    firstOperand: [anyText, "e", "f", "files", "type-list"],
    followsLinks: [["L"]],
    recursion: "always",
    folderByDefault: "always",
  },
};
