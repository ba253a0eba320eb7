/** What the commands do, loaded when one of them runs. */
export { runBlame } from "./blame-command.ts";
export { runDiff } from "./diff-command.ts";
export { runDoctor } from "./doctor-command.ts";
export { runEdit } from "./edit-command.ts";
export { runExport } from "./export-command.ts";
export { runImport } from "./import-command.ts";
export { runConfirm, runReject } from "./judge-command.ts";
export { runList } from "./list-command.ts";
export { runLog } from "./log-command.ts";
export { runRevert } from "./revert-command.ts";
export { runSearch } from "./search-command.ts";
export { runShow } from "./show-command.ts";
