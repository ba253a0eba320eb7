export type { FlagContext } from "./ask-provider.ts";
export { type BuiltInSources, createBuiltInProvider } from "./built-in-provider.ts";
export { flagTable } from "./flag-table.ts";
export { type ResolvedFlags, type ResolveFlagsOptions, resolveFlags } from "./resolve-flags.ts";
