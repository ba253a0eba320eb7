import { coversPath, type PathLocations, type PermissionRule, parseRule } from "@palimpsest/core/internal";
import type { PermissionMode, PermissionRules } from "@palimpsest/core/spec";
import { namesTool } from "./rule-match.ts";

export interface WalkInput {
  readonly tool: string;
  /** Real paths that the call itself was judged for. */
  readonly paths: readonly string[];
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
}

/**
 * What a call may read of the files it comes upon: none that a rule denies, and none that a rule asks about, unless that
 * rule was asked for the call. Rules without a path are about the call as a whole. `undefined`: no rule says anything.
 */
export function readFilter(
  { tool, paths, mode, rules }: WalkInput,
  places: PathLocations,
): ((path: string) => boolean) | undefined {
  const covers = (rule: PermissionRule, path: string) =>
    rule.patterns?.some((pattern) => pattern.kind === "path" && coversPath(pattern, path, places)) ?? false;
  const asked = (rule: PermissionRule) => paths.some((path) => covers(rule, path));
  const denying = ruled(rules.deny, tool);
  const asking = mode === "bypass" ? [] : ruled(rules.ask, tool).filter((rule) => !asked(rule));
  const keeping = [...denying, ...asking];
  return keeping.length === 0 ? undefined : (path) => !keeping.some((rule) => covers(rule, path));
}

function ruled(texts: readonly string[] = [], tool: string): readonly PermissionRule[] {
  const lower = (name: string) => name.toLowerCase();
  return texts.flatMap((text) => {
    const rule = parseRule(text);
    const isMeant = rule.ok && rule.value.patterns !== undefined;
    return isMeant && (namesTool(rule.value, tool, lower) || lower(rule.value.tool) === "read")
      ? [rule.value]
      : [];
  });
}
