import type { PermissionRules } from "@palimpsest/core/spec";

/** All rules of both. */
export function mergeRules(one: PermissionRules, other: PermissionRules): PermissionRules {
  return {
    allow: [...(one.allow ?? []), ...(other.allow ?? [])],
    ask: [...(one.ask ?? []), ...(other.ask ?? [])],
    deny: [...(one.deny ?? []), ...(other.deny ?? [])],
  };
}
