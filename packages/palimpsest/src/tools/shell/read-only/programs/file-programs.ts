import type { ProgramGrammar } from "../program-grammar.ts";

const resolving: ProgramGrammar = {
  isShortening: true,
  options: `f canonicalize, e E canonicalize-existing, m canonicalize-missing, n no-newline, q quiet, s silent,
    v verbose, z zero, L logical, P physical, relative-to=path, relative-base=path, strip, no-symlinks, help, version`,
};

/** Programs that tell of files and folders without, or with, what is in them. */
export const filePrograms: Readonly<Record<string, ProgramGrammar>> = {
  basename: {
    isShortening: true,
    options: "a multiple, s suffix=text, z zero, help, version",
    operands: "text",
  },
  df: {
    isShortening: true,
    options: `a all, B block-size=text, h human-readable, H si, i inodes, k, m, g, l local, no-sync, output[=text],
      P portability, sync, t type=text, total, T print-type, x exclude-type=text, v, help, version`,
  },
  dirname: { isShortening: true, options: "z zero, help, version", operands: "text" },
  // A file can name further ones to measure.
  du: {
    isShortening: true,
    options: `0 null, a all, apparent-size, A, B block-size=text, b bytes, c total, D H dereference-args,
      d max-depth=number, ?files0-from=path, h human-readable, inodes, k, L dereference, l count-links, m, g,
      P no-dereference, S separate-dirs, si, s summarize, t threshold=text, time[=text], time-style=text,
      X exclude-from=path, exclude=text, x one-file-system, help, version`,
    followsLinks: [["D"], ["L"]],
    recursion: "always",
    folderByDefault: "always",
    isListing: true,
  },
  // A magic file is compiled, or read as a program of its own kind; a list names further files.
  file: {
    isShortening: true,
    options: `help, v version, !m magic-file=path, !z uncompress, !Z uncompress-noreport, b brief,
      !c checking-printout, e exclude=text, exclude-quiet=text, !f files-from=path, F separator=text, i mime, I, apple,
      extension, mime-type, mime-encoding, k keep-going, !l list, L dereference, h no-dereference, n no-buffer,
      N no-pad, 0 print0, !p preserve-date, P parameter=text, r raw, !s special-files, !S no-sandbox, !C compile,
      !d debug, !M=path`,
  },
  // Tests and what prints; everything that runs, removes, writes or takes names from a file is not known.
  find: {
    style: "words",
    options: `P, L, H, O0, O1, O2, O3, E, s, x, X, name=text, iname=text, lname=text, ilname=text, path=text,
      ipath=text, wholename=text, iwholename=text, regex=text, iregex=text, regextype=text, type=text, xtype=text,
      size=text, empty, newer=path, anewer=path, cnewer=path, newermt=text, newerat=text, newerct=text, mtime=number,
      mmin=number, ctime=number, cmin=number, atime=number, amin=number, used=number, perm=text, user=text,
      group=text, uid=number, gid=number, nouser, nogroup, readable, writable, executable, links=number, inum=number,
      samefile=path, fstype=text, maxdepth=number, mindepth=number, depth, d, mount, xdev, follow, prune, quit, print,
      print0, printf=text, ls, not, and, or, a, o, true, false, daystart, noleaf, ignore_readdir_race,
      noignore_readdir_race, warn, nowarn, help, version, !delete, !exec, !execdir, !ok, !okdir, !fprint=path,
      !fprint0=path, !fprintf=path+text, !fls=path, !files0-from=path, !D=text, !f=path`,
    marks: /^[(),!]$/,
    followsLinks: [["L"], ["H"], ["follow"]],
    recursion: "always",
    folderByDefault: "always",
    isListing: true,
  },
  ls: {
    isShortening: true,
    options: `a all, A almost-all, author, b escape, block-size=text, B ignore-backups, c, C, color[=text], d directory,
      D dired, f, F, classify[=text], file-type, format=text, full-time, g, group-directories-first, G no-group,
      h human-readable, si, H dereference-command-line, dereference-command-line-symlink-to-dir, hide=text,
      hyperlink[=text], indicator-style=text, i inode, I ignore=text, k kibibytes, l, L dereference, m,
      n numeric-uid-gid, N literal, o, p, q hide-control-chars, show-control-chars, Q quote-name, quoting-style=text,
      r reverse, R recursive, s size, S, sort=text, time=text, time-style=text, t, T tabsize=number, u, U, v,
      w width=number, x, X, Z context, zero, 1, @, e, O, help, version`,
    followsLinks: [["H"], ["dereference-command-line-symlink-to-dir"], ["L", "R"]],
    recursion: ["R"],
    folderByDefault: "always",
    isListing: true,
  },
  readlink: resolving,
  realpath: resolving,
  stat: {
    isShortening: true,
    options: `L dereference, f file-system, cached=text, c format=text, printf=text, t terse, x, n, q, l, r, s, help,
      version`,
  },
  // Every letter of a row that takes a value takes a word of its own behind the row: `-LNifo 1 file`.
  tree: {
    style: "following",
    options: `-adflxFqNQpugshDivtcUrnCASJX, L=number, P=text, I=text, !R, !H=text, !T=text, !o=path, gitignore,
      !gitfile=path, !info, !infofile=path, matchdirs, metafirst, ignore-case, noreport, prune, du, si, inodes, device,
      dirsfirst, filesfirst, nolinks, !hintro=path, !houtro=path, charset=text, filelimit=number, timefmt=text,
      sort=text, !fromfile, !fromtabfile, version, help, hyperlink, !opt-toggle`,
    followsLinks: [["l"]],
    recursion: "always",
    folderByDefault: "always",
    isListing: true,
  },
};
