import { firstChars, showLine } from "@palimpsest/core/internal";
import type { NoticeSource } from "@palimpsest/core/spec";
import { type GitState, type GitStateOptions, readGitState } from "./git-state.ts";

export interface SurroundingsOptions extends GitStateOptions {
  readonly platform: string;
  /** The day, as the person's machine has it. */
  readonly today: () => string;
  /** What the model has before its eyes of this, the oldest first. */
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
