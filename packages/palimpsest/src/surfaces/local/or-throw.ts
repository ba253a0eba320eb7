import type { Result } from "@palimpsest/core/spec";

/** The value, or the failure thrown: a command ends where something fails, and says why. */
export function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}

/** The program's exit codes. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, blocked: 3, interrupted: 130 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with a code when everything there is to say has been said. */
export class Exit extends Error {
  override readonly name = "Exit";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

export function exitWith(how: keyof typeof exitCodes): never {
  throw new Exit(exitCodes[how]);
}

/** The command was called wrongly; one line says what was wrong and gives the right form. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
