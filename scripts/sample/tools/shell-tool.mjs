import { spawnSync } from "node:child_process";
import { steadyOutput } from "./steady-output.mjs";

const timeoutMs = 180_000;
/** Longer output loses its middle. */
const shownChars = 100_000;
const maxOutputBytes = 16 * 1024 * 1024;

/** Bash, really run in the working copy. A failing command is a result like any other. */
export function createShellTool(workspace, clock) {
  return {
    Bash({ command }) {
      const seconds = `${Math.floor(clock.nowMs() / 1000)} +0000`;
      const run = spawnSync("bash", ["-c", `exec 2>&1\n${command}`], {
        cwd: workspace.root,
        env: { ...workspace.environment, GIT_AUTHOR_DATE: seconds, GIT_COMMITTER_DATE: seconds },
        timeout: timeoutMs,
        maxBuffer: maxOutputBytes,
        detached: true,
        stdio: ["ignore", "pipe", "pipe"],
      });
      if (run.error) {
        endGroup(run.pid);
        throw new Error(`The command could not be run: ${command}\n${run.error.message}`);
      }
      const output = steadyOutput(workspace.mask(run.stdout.toString()), clock.nowMs()).replace(/\s+$/, "");
      const failed = run.status !== 0;
      const text = failed ? `Exit code ${run.status ?? run.signal}\n${shortened(output)}` : shortened(output);
      return { text: text.trim() === "" ? "(no output)" : text, isError: failed };
    },
  };
}

function shortened(output) {
  if (output.length <= shownChars) return output;
  const half = shownChars / 2;
  const start = output.slice(0, output.lastIndexOf("\n", half));
  const end = output.slice(output.indexOf("\n", output.length - half) + 1);
  return `${start}\n(${output.length - start.length - end.length} characters left out)\n${end}`;
}

/** What a command that took too long has started ends with it. */
function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
