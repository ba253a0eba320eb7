export { decidePermission, type PermissionMatter } from "./decide-permission.ts";
export { openWorkspace, type Workspace } from "./open-workspace.ts";
export { checkRules, type PermissionRule, parseRule } from "./parse-rule.ts";
export { isProtectedPath, protectedFiles, protectedFolders } from "./protected-paths.ts";
export { withRealPaths } from "./real-paths.ts";
export { type CommandPart, type SplitCommand, splitCommand } from "./split-command.ts";
export { toRule } from "./to-rule.ts";
export { quietTools } from "./tool-families.ts";
