import {
  escapeGlob,
  exitPlanTool,
  hostOf,
  isWithin,
  parseRule,
  toExactCommand,
} from "@palimpsest/core/internal";
import type { PermissionQuestion, PermissionRules, ToolSubject } from "@palimpsest/core/spec";
import { realPlace } from "./rule-match.ts";

/**
 * What “always allow” would add: just what the call touches, and nothing like it. `undefined` where no rule can say
 * that, and the answer holds for this call only.
 */
export function toRule(
  { tool, subjects }: Pick<PermissionQuestion, "tool" | "subjects">,
  workspace: readonly string[],
): PermissionRules | undefined {
  if (tool === exitPlanTool) return undefined;
  if (subjects.length === 0) return parseRule(tool).ok ? { allow: [tool] } : undefined;
  const allow = new Set<string>();
  for (const subject of subjects) {
    const rule = ruleFor(tool, subject, workspace);
    if (rule === undefined || !speaksOf(rule, subject)) return undefined;
    allow.add(rule);
  }
  return { allow: [...allow] };
}

function speaksOf(rule: string, { kind }: ToolSubject): boolean {
  const parsed = parseRule(rule);
  return parsed.ok && (parsed.value.patterns?.some((pattern) => pattern.kind === kind) ?? false);
}

function ruleFor(tool: string, subject: ToolSubject, workspace: readonly string[]): string | undefined {
  switch (subject.kind) {
    case "command": {
      const command = toExactCommand(subject.value);
      return command === "" ? undefined : `${tool}(${command})`;
    }
    case "url": {
      const host = hostOf(subject.value);
      return host === undefined ? undefined : `${tool}(domain:${host})`;
    }
    case "path": {
      const place = realPlace(subject)?.replace(/(.)\/$/, "$1");
      return place === undefined ? undefined : `${tool}(${pathPattern(place, workspace)})`;
    }
  }
}

function pathPattern(place: string, workspace: readonly string[]): string {
  const root = workspace.find((one) => isWithin(place, one) && place !== one && one !== "/");
  if (root === undefined) return `/${escapeGlob(place)}`;
  const inside = escapeGlob(place.slice(root.replace(/\/+$/, "").length + 1));
  return /^(?:~\/|domain:)/.test(inside) ? `./${inside}` : inside;
}
