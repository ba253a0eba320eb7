import { createGit, firstChars, type GitOptions, showLine } from "@palimpsest/core/internal";
import type { NoticeSource } from "@palimpsest/core/spec";

interface SurroundingsOptions extends GitStateOptions {
  readonly platform: string;
  /** The day, as the person's machine has it. */
  readonly today: () => string;
  /** Earlier notices in the model's view, the oldest first. */
  readonly told: () => readonly string[];
}

const maxStatusLines = 40;
const maxLineChars = 300;

/**
 * Tells the model where it is and what day it is: at the beginning, and again when something of it has changed. None
 * of this stands in the prefix, where every change would cost the whole cache.
 */
export function createSurroundingsSource(options: SurroundingsOptions): NoticeSource {
  const notice = (text: string) => [{ subtype: "surroundings", text }];
  return {
    name: "surroundings",
    remembers: true,
    async take({ kind }) {
      const told = options.told();
      const today = options.today();
      if (kind === "session-start" || told.length === 0) {
        const text = describe(options, today, await readGitState(options));
        return told.includes(text) ? [] : notice(text);
      }
      return told.some((text) => text.includes(today)) ? [] : notice(`It is now ${today}.`);
    },
  };
}

function describe({ cwd, platform }: SurroundingsOptions, today: string, git: GitState | null): string {
  const lines = [`Working folder: ${showLine(cwd)}`, `Platform: ${platform}`, `Date: ${today}`];
  if (git === null) return [...lines, "Version control: none that can be told"].join("\n");
  const branch = `Version control: git, ${showLine(firstChars(git.branch, maxLineChars))}`;
  return [...lines, branch, ...changedLines(git.changed)].join("\n");
}

function changedLines(changed: GitState["changed"]): readonly string[] {
  if (changed === null) return ["What is changed or untracked could not be found out in time."];
  if (changed.length === 0) return ["Nothing is changed or untracked."];
  const shown = changed.slice(0, maxStatusLines).map((line) => showLine(firstChars(line, maxLineChars)));
  const more = changed.length - shown.length;
  return [
    "Changed or untracked when this was written:",
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ];
}

interface GitStateOptions extends GitOptions {
  readonly cwd: string;
}

interface GitState {
  /** As git says it: `main`, `main...origin/main`, `No commits yet on main`. */
  readonly branch: string;
  /** One line for each file, as `git status --short` has them; `null` where that took too long. */
  readonly changed: readonly string[] | null;
}

/** How long git may take, all in all, and how much of what it says is read. */
export const gitTimeoutMs = 3_000;
export const maxGitBytes = 1_048_576;

const limits = { timeoutMs: gitTimeoutMs, maxBytes: maxGitBytes };

/** The state of a folder's git repository; `null` where there is no git, no repository, or no answer in time. */
export async function readGitState({ cwd, ...options }: GitStateOptions): Promise<GitState | null> {
  const git = createGit(options);
  const status = await git.run(
    cwd,
    ["status", "--porcelain", "--branch", "--no-ahead-behind", "--no-renames", "--ignore-submodules=all"],
    limits,
  );
  if (status.ok) {
    if (status.value.exitCode !== 0) return null;
    const [first = "", ...changed] = status.value.output.split("\n").filter((line) => line !== "");
    return { branch: first.replace(/^## /, ""), changed };
  }
  if (status.error.code !== "timeout") return null;
  const branch = await git.run(cwd, ["branch", "--show-current"], limits);
  if (!branch.ok || branch.value.exitCode !== 0) return null;
  return { branch: branch.value.output.trim() || "no branch", changed: null };
}

/** The day it is for a person, as `2026-01-31`. Without a time zone: that of the machine. */
export function toLocalDay(ms: number, timeZone?: string): string {
  const format = new Intl.DateTimeFormat("en-CA", {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    calendar: "gregory",
    numberingSystem: "latn",
    ...(timeZone !== undefined && { timeZone }),
  });
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}`;
}
