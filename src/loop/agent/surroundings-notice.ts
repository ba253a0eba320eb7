import type { Notice, NoticeSource, Shell } from "../../spec/index.ts";

export interface SurroundingsOptions {
  readonly shell: Shell;
  readonly cwd: string;
  readonly platform: string;
  /** The day, as the person's machine has it. */
  readonly today: () => string;
  readonly environment: Readonly<Record<string, string>>;
}

const maxStatusLines = 40;

/** A repository's own configuration can name programs: none of them is run for looking. */
const quietly = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/**
 * Tells the model where it is and what day it is: at the beginning, and again when something of it has changed. None
 * of this stands in the prefix, where every change would cost the whole cache.
 */
export function createSurroundingsSource(options: SurroundingsOptions): NoticeSource {
  let told: string | null = null;
  let toldDay: string | null = null;
  return {
    name: "surroundings",
    async take({ kind }) {
      const today = options.today();
      if (kind === "session-start" || told === null) {
        toldDay = today;
        told = await describe(options, today);
        return [notice(told)];
      }
      if (today === toldDay) return [];
      toldDay = today;
      return [notice(`It is now ${today}.`)];
    },
  };
}

function notice(text: string): Notice {
  return { subtype: "surroundings", text };
}

async function describe(options: SurroundingsOptions, today: string): Promise<string> {
  const { cwd, platform } = options;
  const branch = await git(options, ["rev-parse", "--abbrev-ref", "HEAD"]);
  const status =
    branch === null ? null : await git(options, ["status", "--short", "--untracked-files=normal"]);
  const lines = [`Working folder: ${cwd}`, `Platform: ${platform}`, `Date: ${today}`];
  if (branch === null) return [...lines, "Version control: none"].join("\n");
  const changed = (status ?? "").split("\n").filter((line) => line !== "");
  const shown = changed.slice(0, maxStatusLines);
  const more = changed.length - shown.length;
  return [
    ...lines,
    `Version control: git, branch ${branch.trim()}`,
    changed.length === 0 ? "Nothing is changed or untracked." : "Changed or untracked at the beginning:",
    ...shown,
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join("\n");
}

/** What git says; `null` where there is none or no repository. */
async function git(
  { shell, cwd, environment }: SurroundingsOptions,
  args: readonly string[],
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  const child = shell.start("git", [...quietly, ...args], {
    cwd,
    environment: { ...environment, GIT_TERMINAL_PROMPT: "0" },
    onOutput: (bytes, stream) => {
      if (stream === "stdout") chunks.push(bytes);
    },
  });
  const ended = await child.ended;
  return ended.ok && ended.value.exitCode === 0 ? Buffer.concat(chunks).toString("utf8") : null;
}
