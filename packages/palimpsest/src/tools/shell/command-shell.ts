import type { Shell, ShellOptions, ShellProcess } from "@palimpsest/core/spec";

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
