/** What the commands do, loaded when one of them runs. */
export { runDelete } from "./delete-command.ts";
export { runExport } from "./export-command.ts";
export { runList } from "./list-command.ts";
export { runPrune } from "./prune-command.ts";
export { runRedact } from "./redact-command.ts";
export { runRepair } from "./repair-command.ts";
export { runShow } from "./show-command.ts";
