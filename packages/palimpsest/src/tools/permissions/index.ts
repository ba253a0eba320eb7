export {
  type CommandPart,
  checkRules,
  isProtectedPath,
  type PermissionRule,
  parseRule,
  protectedFiles,
  protectedFolders,
  quietTools,
  type SplitCommand,
  splitCommand,
} from "@palimpsest/core/internal";
export { decidePermission, type PermissionMatter } from "./decide-permission.ts";
export { openWorkspace, type Workspace } from "./open-workspace.ts";
export { readFilter } from "./read-filter.ts";
export { type NamedRead, readsOfCommand } from "./reads-of-command.ts";
export { withRealPaths } from "./real-paths.ts";
export { toRule } from "./to-rule.ts";
