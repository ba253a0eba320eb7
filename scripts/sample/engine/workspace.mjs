import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, hostname, tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { withoutMachineFolders } from "./find-leaks.mjs";

/** Where the session believes to be; the real folder's path never reaches the log. */
export const shownHome = "/home/dev";
export const shownRoot = `${shownHome}/palimpsest`;

/** The sample does not see itself: its own files would change what it records. */
const own =
  /^(?:scripts\/sample\/|packages\/palimpsest\/assets\/|docs\/sample-session\.md$|test\/sample-session\.test\.ts$)/;

/** A copy of the repository's files to work in, with a git history of one commit and nothing of this machine. */
export function createWorkspace(repository, startedAtMs) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-sample-")));
  const home = join(top, shownHome);
  const root = join(top, shownRoot);
  const scratch = join(home, ".cache");
  const environment = neutralEnvironment(home, scratch);
  const remove = () => rmSync(top, { recursive: true, force: true });
  try {
    mkdirSync(scratch, { recursive: true });
    copyTree(repository, root);
    linkModules(repository, root);
    startHistory(repository, root, environment, startedAtMs);
  } catch (cause) {
    remove();
    throw cause;
  }

  const leaks = [
    [relative(root, repository), "."],
    [top, ""],
    [repository, shownRoot],
  ];
  return {
    root,
    environment,
    /** A shown path as it is on this machine. */
    toReal: (path) => join(top, path),
    /** Text with every path of this machine replaced by the shown one. */
    mask: (text) => leaks.reduce((masked, [real, shown]) => masked.replaceAll(real, shown), text),
    /** What must not stand in the log: names that only this machine has. */
    forbidden: [top, repository, hostname(), homedir()].filter((name) => name.length > 4),
    remove,
  };
}

function listFiles(repository) {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repository,
    maxBuffer: 64 * 1024 * 1024,
  });
  const names = listed.toString().split("\0").filter(Boolean);
  const isFile = (name) => statSync(join(repository, name), { throwIfNoEntry: false })?.isFile();
  return [...new Set(names)].filter((name) => !own.test(name) && isFile(name)).sort();
}

/** File by file as it is, except that an example path in a folder this machine might have is put elsewhere. */
function copyTree(repository, root) {
  for (const name of listFiles(repository)) {
    const bytes = readFileSync(join(repository, name));
    const text = bytes.toString("utf8");
    const isText = !text.includes("\0") && Buffer.from(text).equals(bytes);
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), isText ? withoutMachineFolders(text) : bytes);
  }
}

/**
 * A folder of links instead of one link, so that caches written below `node_modules` stay in the copy. `vitest` gets
 * options that keep its output the same from run to run: files one after the other, largest first, no list of slow
 * tests.
 */
function linkModules(repository, root) {
  const from = join(repository, "node_modules");
  const to = join(root, "node_modules");
  if (!existsSync(from)) throw new Error(`${from} is missing: run "npm install" first.`);
  mkdirSync(join(to, ".bin"), { recursive: true });
  const isPackage = (name) => !name.startsWith(".");
  for (const name of readdirSync(from).filter(isPackage)) symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(from, ".bin"))) {
    if (name !== "vitest") symlinkSync(join(from, ".bin", name), join(to, ".bin", name));
  }
  const vitest = join(to, ".bin", "vitest");
  const program = join(from, "vitest", "vitest.mjs");
  const options = "--no-file-parallelism --slowTestThreshold=1000000";
  writeFileSync(vitest, `#!/bin/sh\nrm -rf node_modules/.vite\nexec node "${program}" "$@" ${options}\n`);
  chmodSync(vitest, 0o755);
}

function neutralEnvironment(home, scratch) {
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: scratch,
    LANG: "C.UTF-8",
    TZ: "UTC",
    COLUMNS: "100",
    NO_COLOR: "1",
    PAGER: "cat",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "dev",
    GIT_AUTHOR_EMAIL: "dev@example.invalid",
    GIT_COMMITTER_NAME: "dev",
    GIT_COMMITTER_EMAIL: "dev@example.invalid",
    npm_config_update_notifier: "false",
    npm_config_fund: "false",
    npm_config_audit: "false",
  };
}

function startHistory(repository, root, environment, startedAtMs) {
  const subject = execFileSync("git", ["log", "-1", "--format=%s"], { cwd: repository }).toString().trim();
  const date = `${Math.floor(startedAtMs / 1000) - 5400} +0000`;
  const env = { ...environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args) => execFileSync("git", args, { cwd: root, env, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "core.abbrev", "10");
  git("config", "gc.auto", "0");
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}
