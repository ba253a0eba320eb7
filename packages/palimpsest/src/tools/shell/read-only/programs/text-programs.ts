import type { ProgramGrammar } from "../program-grammar.ts";

const checksum: ProgramGrammar = {
  isShortening: true,
  options: `b binary, c check, tag, t text, z zero, ignore-missing, quiet, status, strict, w warn, help, version,
    l length=number, a algorithm=text, untagged, debug, base64, raw`,
};

const coded: ProgramGrammar = {
  isShortening: true,
  options: "d decode, i ignore-garbage, w wrap=number, help, version, !o output=path, !D",
};

/** Programs that read files, or what a pipe brings, and print a form of it. */
export const textPrograms: Readonly<Record<string, ProgramGrammar>> = {
  b2sum: checksum,
  base32: coded,
  base64: coded,
  cat: {
    isShortening: true,
    options: `A show-all, b number-nonblank, e, E show-ends, n number, s squeeze-blank, t, T show-tabs, u,
      v show-nonprinting, help, version`,
  },
  cksum: checksum,
  cmp: {
    isShortening: true,
    options: `b print-bytes, c print-chars, i ignore-initial=text, l verbose, n bytes=number, s quiet silent, help,
      v version`,
  },
  // BSD's shares the letters t, s, c and x; `-l` and `-r` differ only in whether a value follows.
  column: {
    isShortening: true,
    options: `t table, n table-name=text, O table-order=text, C table-column=text, N table-columns=text,
      l table-columns-limit=number, E table-noextreme=text, d table-noheadings, m table-maxout,
      e table-header-repeat, H table-hide=text, R table-right=text, T table-truncate=text, W table-wrap=text,
      L keep-empty-lines, J json, r tree=text, i tree-id=text, p tree-parent=text, c output-width columns=number,
      o output-separator=text, s separator=text, x fillrows, h help, V version`,
  },
  comm: {
    isShortening: true,
    options:
      "-123i, check-order, nocheck-order, output-delimiter=text, total, z zero-terminated, help, version",
  },
  cut: {
    isShortening: true,
    options: `b bytes=text, c characters=text, d delimiter=text, f fields=text, n, complement, s only-delimited,
      output-delimiter=text, z zero-terminated, w, help, version`,
  },
  diff: {
    isShortening: true,
    hasCount: true,
    // `--paginate` starts another program.
    options: `normal, q brief, s report-identical-files, c, C=number, context[=number], u, U=number, unified[=number],
      e ed, f forward-ed, n rcs, y side-by-side, W width=number, left-column, suppress-common-lines,
      p show-c-function, F show-function-line=text, label L=text, t expand-tabs, T initial-tab, tabsize=number,
      suppress-blank-empty, !l paginate, r recursive, no-dereference, N new-file, P unidirectional-new-file,
      ignore-file-name-case, no-ignore-file-name-case, x exclude=text, X exclude-from=path, S starting-file=text,
      from-file=path, to-file=path, i ignore-case, E ignore-tab-expansion, Z ignore-trailing-space,
      b ignore-space-change, w ignore-all-space, B ignore-blank-lines, I ignore-matching-lines=text, a text,
      strip-trailing-cr, D ifdef=text, old-group-format=text, new-group-format=text, unchanged-group-format=text,
      changed-group-format=text, line-format=text, old-line-format=text, new-line-format=text,
      unchanged-line-format=text, d minimal, horizon-lines=number, H speed-large-files, color[=text], palette=text,
      binary, inhibit-hunk-merge, sdiff-merge-assist, help, v version`,
    recursion: ["r"],
    followsLinks: [["r"]],
    keepsLinks: ["no-dereference"],
  },
  expand: { isShortening: true, hasCount: true, options: "i initial, t tabs=number, help, version" },
  fmt: {
    isShortening: true,
    hasCount: true,
    options: `c crown-margin, p prefix=text, s split-only, t tagged-paragraph, u uniform-spacing, w width=number,
      g goal=number, help, version`,
  },
  fold: {
    isShortening: true,
    hasCount: true,
    options: "b bytes, c characters, s spaces, w width=number, help, version",
  },
  head: {
    isShortening: true,
    hasCount: true,
    options: "c bytes=number, n lines=number, q quiet silent, v verbose, z zero-terminated, help, version",
  },
  hexdump: {
    options: `-bcCdoxv, one-byte-octal, one-byte-char, canonical, two-bytes-decimal, two-bytes-octal, two-bytes-hex,
      L color[=text], e format=text, f format-file=path, n length=number, s skip=number, no-squeezing, h help, V version`,
  },
  join: {
    isShortening: true,
    options: `a=number, e=text, i ignore-case, j=number, o=text, t=text, v=number, 1=number, 2=number, check-order,
      nocheck-order, header, z zero-terminated, help, version`,
  },
  md5sum: checksum,
  nl: {
    isShortening: true,
    options: `b body-numbering=text, d section-delimiter=text, f footer-numbering=text, h header-numbering=text,
      i line-increment=number, l join-blank-lines=number, n number-format=text, p no-renumber,
      s number-separator=text, v starting-line-number=number, w number-width=number, help, version`,
  },
  od: {
    isShortening: true,
    options: `A address-radix=text, endian=text, j skip-bytes=number, N read-bytes=number, S=number, strings[=number],
      t format=text, v output-duplicates, w[=number], width[=number], traditional, -abcdfhilosxBDeFHILOX, help, version`,
  },
  paste: { isShortening: true, options: "d delimiters=text, s serial, z zero-terminated, help, version" },
  rev: { options: "h help, V version, 0 zero" },
  sha1sum: checksum,
  sha224sum: checksum,
  sha256sum: checksum,
  sha384sum: checksum,
  sha512sum: checksum,
  // One script that prints lines by number: every other one may write or run.
  sed: {
    isShortening: true,
    options: `n quiet silent, E r regexp-extended, s separate, u unbuffered, z null-data, !e expression=text,
      !f file=path, !i[=text], !in-place[=text], !l line-length=number, !b binary, !a, !I=text, posix, debug, sandbox,
      follow-symlinks, help, version`,
    optionsAfterOperand: "refused",
    firstOperand: [/^(?:\d+|\$)(?:,(?:\d+|\$))?[pdq]$/],
  },
  // A file can name further files to sort, and big ones are sorted in another folder, by another program if asked.
  sort: {
    isShortening: true,
    options: `b ignore-leading-blanks, d dictionary-order, f ignore-case, g general-numeric-sort,
      i ignore-nonprinting, M month-sort, h human-numeric-sort, n numeric-sort, R random-sort,
      !random-source=path, r reverse, sort=text, V version-sort, !batch-size=number, c, check[=text], C,
      !compress-program=text, debug, !files0-from=path, k key=text, m merge, !o output=path, s stable,
      S buffer-size=text, t field-separator=text, !T temporary-directory=path, parallel=number, u unique,
      z zero-terminated, !mmap, !y[=text], help, version`,
  },
  strings: {
    options: `a all, d data, f print-file-name, n bytes=number, t radix=text, w include-all-whitespace, o,
      T target=text, e encoding=text, U unicode=text, s output-separator=text, h help, v V version`,
    hasCount: true,
    // A file behind an `@` holds further arguments.
    operand: /^[^@]/,
  },
  tac: { isShortening: true, options: "b before, r regex, s separator=text, help, version" },
  tail: {
    isShortening: true,
    hasCount: true,
    options: `c bytes=number, f, follow[=text], F, n lines=number, max-unchanged-stats=number, pid=number,
      q quiet silent, retry, s sleep-interval=number, v verbose, z zero-terminated, r, help, version`,
  },
  tr: {
    isShortening: true,
    options: "c C complement, d delete, s squeeze-repeats, t truncate-set1, u, help, version",
    operands: "text",
  },
  tsort: { isShortening: true, options: "help, version" },
  unexpand: {
    isShortening: true,
    hasCount: true,
    options: "a all, first-only, t tabs=number, help, version",
  },
  // A second operand is written; BSD's takes an option behind the first one for it.
  uniq: {
    isShortening: true,
    options: `c count, d repeated, D, all-repeated[=text], f skip-fields=number, group[=text], i ignore-case,
      s skip-chars=number, u unique, z zero-terminated, w check-chars=number, help, version`,
    optionsAfterOperand: "refused",
    maxOperands: 1,
  },
  // A file can name further files to count.
  wc: {
    isShortening: true,
    options:
      "c bytes, m chars, l lines, ?files0-from=path, L max-line-length, w words, total=text, debug, help, version",
  },
  // A second operand is written. Its options stand alone, in front.
  xxd: {
    style: "words",
    options: `a autoskip, b bits, C capitalize, c cols=number, E EBCDIC, e, g groupsize=number, i include, l len=number,
      o=number, p ps plain postscript, s seek=number, u upper uppercase, d, h help, v version, !r revert, !n name=text,
      !R=text`,
    optionsAfterOperand: "refused",
    maxOperands: 1,
  },
};
