import { posix } from "node:path";
import { revokeTrust, settingsFiles } from "@palimpsest/core/internal";
import type { Disk } from "@palimpsest/core/spec";
import { createNodeDisk } from "@palimpsest/core/stores/files";
import { projectAgentsFolder } from "../../../loop/agents/project-agents.ts";
import { toHarmless, toJson } from "../harmless.ts";
import { orThrow } from "../or-throw.ts";
import type { CommandContext } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { projectFolder } from "./read-configuration.ts";
import type { TrustOptions } from "./trust-command.ts";

/** Takes trust back from every version of a project's settings files and agents; they need not be there any more. */
export async function runRevoke(context: CommandContext, options: TrustOptions): Promise<void> {
  if (options.dryRun) {
    throw new UsageError(
      "--revoke and --dry-run exclude each other; use: palimpsest config trust [--revoke | --dry-run]",
    );
  }
  const { terminal, home, folder } = context;
  const disk = createNodeDisk();
  const project = await projectFolder(disk, folder, options.cwd);
  const files = (await settingsFiles(disk, home, project)).filter(({ isOwn }) => !isOwn);
  const paths: string[] = [];
  for (const { path } of files) paths.push(await realPathOf(disk, path));
  if (files.length > 0) paths.push(await realPathOf(disk, projectAgentsFolder(project)));
  const revoked = orThrow(await revokeTrust({ disk, home }, paths));
  if (options.json) return terminal.write(toJson({ paths, revoked }));
  const where = `${toHarmless(project)}/.palimpsest`;
  await terminal.write(
    revoked === 0
      ? `Nothing to revoke: no settings file and no agent was trusted in ${where}.\n`
      : `Trust revoked: what needs trust is ignored again in\n  ${where}\n`,
  );
}

/** Also of a file, or a folder, that is gone. */
async function realPathOf(disk: Disk, path: string): Promise<string> {
  const real = await disk.realPath(path);
  if (real.ok || path === "/") return real.ok ? real.value : path;
  return posix.join(await realPathOf(disk, posix.dirname(path)), posix.basename(path));
}
