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
export { openWorkspace, readFilter, type Workspace, withRealPaths } from "./read-filter.ts";
export { type NamedRead, readsOfCommand } from "./reads-of-command.ts";
export { toRule } from "./rule-match.ts";
