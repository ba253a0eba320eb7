import type { Disk, Ids, Shell, Tool } from "@palimpsest/core/spec";
import { createAutoAllowedEnvironment } from "./auto-allowed-environment.ts";
import { createBashTool } from "./bash-tool.ts";
import {
  type CommandEnvironmentOptions,
  type MachineEnvironment,
  toCommandEnvironment,
} from "./command-environment.ts";
import { createCommandShell } from "./command-shell.ts";
import type { ShellTasks, TaskSource } from "./shell-tasks.ts";
import { createTaskTools } from "./task-tools.ts";
import { createWorkingFolders } from "./working-folder.ts";

export { type CommandRead, commandReads, isReadOnlyCommand } from "./read-only/command-reads.ts";
export type { BackgroundTask, TaskSource } from "./shell-tasks.ts";
export { createShellTasks, type ShellTasks } from "./shell-tasks.ts";

export interface ShellToolsOptions {
  readonly shell: Shell;
  readonly disk: Disk;
  readonly ids: Ids;
  /** The machine's; commands see what `toCommandEnvironment` lets through. */
  readonly environment: MachineEnvironment;
  /** The settings' part besides. */
  readonly commandEnvironment?: CommandEnvironmentOptions;
  readonly tasks: ShellTasks;
  /** Tasks of others that TaskOutput and TaskStop serve too. */
  readonly otherTasks?: readonly TaskSource[];
  /** A private folder for small files between a command and this program. */
  readonly scratchFolder: string;
  /** Folders that belong to the workspace besides the agent's. */
  readonly workspace?: readonly string[];
  /** Where the session works, for an agent that works elsewhere. */
  readonly projectFolder?: string;
}

/** Bash, TaskOutput and TaskStop. */
export function createShellTools(options: ShellToolsOptions): readonly Tool[] {
  const { shell, tasks, environment, commandEnvironment, otherTasks = [] } = options;
  const known = toCommandEnvironment(environment, commandEnvironment);
  const { location, folderOf } = createWorkingFolders(options);
  const bash = createBashTool({
    startCommand: createCommandShell(shell),
    environmentFor: createAutoAllowedEnvironment({ ...options, environment: known }),
    tasks,
    location,
    folderOf,
  });
  return [bash, ...createTaskTools([tasks, ...otherTasks])];
}
