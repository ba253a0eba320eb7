import type { Result } from "../result.ts";

export interface ShellOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly environment: Readonly<Record<string, string>>;
  /** Written to its input, which is then closed; absent: it has none. */
  readonly input?: string;
  /** Every piece of output, as it comes. */
  readonly onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
}

export interface ShellEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface ShellProcess {
  /** Once it has ended and its output has come; fails where it could not be started. */
  readonly ended: Promise<Result<ShellEnd>>;
  /** Ends it and all its children: asked first, forced after `graceMs`. Safe to call twice and afterwards. */
  kill(graceMs?: number): void;
}

/** Runs programs, each with its children in a group of its own. Arguments are handed over as they are. */
export interface Shell {
  start(program: string, args: readonly string[], options: ShellOptions): ShellProcess;
}
