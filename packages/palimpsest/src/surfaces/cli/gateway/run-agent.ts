import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fail } from "@palimpsest/core/spec";
import { Exit, type ExitCode } from "../exit-codes.ts";
import type { Terminal } from "../terminal.ts";
import type { AgentSettings } from "./agent-settings.ts";

/** Runs an agent in this terminal, and ends as it ends. */
export async function runAgent(
  [command = "", ...args]: readonly string[],
  settings: AgentSettings,
  place: { readonly home: string; readonly terminal: Pick<Terminal, "signal"> },
): Promise<void> {
  const env = { ...process.env, ...settings.environment, ...(await folderFor(settings, place.home)) };
  const code = await new Promise<number>((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env });
    const onAbort = () => child.kill("SIGINT");
    place.terminal.signal.addEventListener("abort", onAbort, { once: true });
    child.once("error", (cause) => {
      const fix = "Install it, or say where it is.";
      reject(fail("not-found", `“${command}” cannot be run.`, { path: command, fix, cause }).error);
    });
    child.once("close", (ended) => resolve(ended ?? 1));
  });
  if (code !== 0) throw new Exit(code as ExitCode);
}

/** An agent that reads only a file gets a folder of its own with that file in it; its keys come from the environment. */
async function folderFor({ environment, file }: AgentSettings, home: string) {
  if (!file || Object.keys(environment).length > 0) return {};
  const folder = join(home, "gateway", "pi");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "models.json"), JSON.stringify(file.content, null, 2), { mode: 0o600 });
  return { PI_CODING_AGENT_DIR: folder };
}
