import type { ProgramGrammar } from "../program-grammar.ts";

/** Only asks a program which version it is. */
const versioned: ProgramGrammar = {
  style: "words",
  options: "version",
  operands: "none",
  needsOption: ["version"],
};

/** Variables that say how a person works and hold no secrets. */
const plainVariables = /^(?:HOME|LANG|LC_\w+|LOGNAME|PATH|PWD|SHELL|SHLVL|TERM|TMPDIR|TZ|USER|EDITOR|PAGER)$/;

/** Programs that tell of the machine, the clock and the shell, and words of the shell that only print. */
export const systemPrograms: Readonly<Record<string, ProgramGrammar>> = {
  // Says where a program is; without its option it runs one.
  command: {
    options: "v V",
    needsOption: ["v"],
    operands: "text",
    optionsAfterOperand: "last",
  },
  // An operand that is no format sets the clock.
  date: {
    isShortening: true,
    options: `d date=text, debug, !f file=path, I[=text], iso-8601[=text], resolution, R rfc-email rfc-822 rfc-2822,
      rfc-3339=text, r reference=path, !s set=text, u utc universal uct, !j, !n, !v=text, !t=text, !z=text, help, version`,
    operands: "text",
    operand: /^\+/,
    maxOperands: 1,
    optionsAfterOperand: "refused",
  },
  echo: { style: "none", operands: "text" },
  expr: { style: "none", operands: "text" },
  false: { style: "none", operands: "text" },
  free: {
    isShortening: true,
    options: `b bytes, kilo, mega, giga, tera, peta, k kibi, m mebi, g gibi, tebi, pebi, h human, si, l lohi, t total,
      v committed, s seconds=number, c count=number, w wide, L line, help, V version`,
    operands: "none",
  },
  gcc: versioned,
  groups: { isShortening: true, options: "help, version", operands: "text" },
  // An operand is a new name.
  hostname: { options: "-fsidIAy, !F file=path, !b boot", operands: "none" },
  id: {
    isShortening: true,
    options: "-aAFpP, Z context, g group, G groups, n name, r real, u user, z zero, help, version",
    operands: "text",
  },
  java: versioned,
  node: { ...versioned, options: "version v" },
  nproc: { isShortening: true, options: "all, ignore=number, help, version", operands: "none" },
  printenv: { options: "0 null", operands: "text", operand: plainVariables, firstOperand: [plainVariables] },
  // `%n` stores into a variable whose name may hold a command, and so does `-v`.
  printf: {
    operands: "text",
    optionsAfterOperand: "last",
    firstOperand: [/^(?!.*%[-+ #0'*.\d]*[hlLjtzq]*n)/s],
  },
  pwd: { options: "L, P", operands: "none" },
  python: { ...versioned, options: "version V" },
  python3: { ...versioned, options: "version V" },
  seq: {
    isShortening: true,
    hasCount: true,
    options: "f format=text, s separator=text, w equal-width, t=text, help, version",
    operands: "text",
  },
  sleep: { operands: "text" },
  // `-v` and `-R` look into a variable whose name may hold a command.
  test: { style: "none", operand: /^(?!-[vR]$)/, marks: /^(?:-\w+|[!=<>()]+)$/ },
  true: { style: "none", operands: "text" },
  type: { options: "-aftpP", operands: "text" },
  uname: {
    isShortening: true,
    options: `a all, s kernel-name, n nodename, r kernel-release release, v kernel-version, m machine, p processor,
      i hardware-platform, o operating-system sysname, help, version`,
    operands: "none",
  },
  uptime: { isShortening: true, options: "p pretty, s since, h help, V version", operands: "none" },
  which: { options: "a all, s", operands: "text" },
  whoami: { isShortening: true, options: "help, version", operands: "none" },
};
