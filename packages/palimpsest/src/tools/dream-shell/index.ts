export {
  createDreamShell,
  type DreamShell,
  type DreamShellAnswer,
  type DreamShellOptions,
} from "./dream-shell.ts";
export { createDreamShellTool } from "./dream-shell-tool.ts";
export { dreamPrograms } from "./refuse-script.ts";
