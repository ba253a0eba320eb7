import type { Result, Shell, ShellEnd, ShellOptions, ShellProcess } from "@palimpsest/core/spec";

/** Runs a text of the shell's language. */
export type CommandShell = (script: string, options: ShellOptions) => ShellProcess;

/** By bash, and by sh from the first time on that there is no bash. */
export function createCommandShell(shell: Shell): CommandShell {
  let program = "bash";
  return (script, options) => {
    const tried = program;
    const args = ["-c", /^[-+]/.test(script) ? ` ${script}` : script];
    let child = shell.start(tried, args, options);
    let isKilled = false;
    const ended = child.ended.then((end) => {
      if (end.ok || end.error.code !== "not-found" || tried === "sh" || isKilled) return end;
      program = "sh";
      child = shell.start("sh", args, options);
      return child.ended;
    });
    return {
      ended,
      kill(graceMs) {
        isKilled = true;
        child.kill(graceMs);
      },
    };
  };
}

/** How a command ended, in a few words. */
export function describeEnd(end: Result<ShellEnd>): string {
  if (!end.ok) return [end.error.message, end.error.fix].filter(Boolean).join(" ");
  const { exitCode, signal } = end.value;
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
}

export function isSuccess(end: Result<ShellEnd>): boolean {
  return end.ok && end.value.exitCode === 0;
}
