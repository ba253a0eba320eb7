export {
  createDreamShell,
  createDreamShellTool,
  type DreamShell,
  type DreamShellAnswer,
  type DreamShellOptions,
} from "./dream-shell.ts";
export { dreamPrograms } from "./refuse-script.ts";
