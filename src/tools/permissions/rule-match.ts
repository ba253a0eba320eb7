import type { ToolSubject } from "../../spec/index.ts";
import { coversCommand } from "./covers-command.ts";
import type { PermissionRule } from "./parse-rule.ts";
import { allowsPath, coversPath, type PathPattern, type PathPlaces } from "./path-pattern.ts";
import { isPlainPath, toPlainPath } from "./plain-path.ts";
import { toolFamilies } from "./tool-families.ts";
import { matchUrl, type UrlPattern } from "./url-pattern.ts";

/** A call as rules look at it. */
export interface RuledCall {
  readonly tool: string;
  readonly subjects: readonly ToolSubject[];
}

/** Whether a rule that denies or asks is about the call: one subject is enough, in any spelling. */
export function coversCall(rule: PermissionRule, call: RuledCall, places: PathPlaces): boolean {
  const isNamed = namesTool(rule, call.tool, (name) => name.toLowerCase());
  if (rule.patterns === undefined) return isNamed;
  return call.subjects.some(
    (subject) => (isNamed || standsForAccess(rule, subject)) && coversSubject(rule, subject, places),
  );
}

/** Whether the rule's name, or that of its family, is the tool's. */
export function namesTool(
  { tool, isBeginning }: PermissionRule,
  called: string,
  spell: (name: string) => string = (name) => name,
): boolean {
  const [ruled, name] = [spell(tool), spell(called)];
  if (isBeginning) return name.startsWith(ruled);
  const family = toolFamilies.find(({ tools: [first = ""] }) => spell(first) === ruled);
  return ruled === name || (family?.tools.some((one) => spell(one) === name) ?? false);
}

/** `Read(…)` and `Edit(…)` that say no are about every tool that would read or change such a path. */
function standsForAccess({ tool }: PermissionRule, { kind, access }: ToolSubject): boolean {
  const family = toolFamilies.find(({ tools: [first = ""] }) => first.toLowerCase() === tool.toLowerCase());
  return family !== undefined && family.kind === kind && family.access === access;
}

function coversSubject({ patterns = [] }: PermissionRule, subject: ToolSubject, places: PathPlaces): boolean {
  return patterns.some((pattern) => {
    if (pattern.kind !== subject.kind) return false;
    if (pattern.kind === "command") return coversCommand(pattern, subject.value);
    if (pattern.kind === "url") return matchUrl(pattern, subject.value);
    const spellings = [subject.value, ...(subject.realPath ? [subject.realPath] : [])].map(toPlainPath);
    return spellings.some((path) => coversPath(pattern, path, places));
  });
}

/** The place a path really leads to; `undefined` where that cannot be told. */
export function realPlace({ value, realPath }: ToolSubject): string | undefined {
  const place = realPath === undefined ? value : realPath;
  return place !== null && isPlainPath(place) ? place : undefined;
}

/** Whether a pattern names the path exactly; one that is protected has to be named as such. */
export function allowsSubjectPath(
  patterns: readonly PathPattern[],
  place: string,
  isProtected: boolean,
  places: PathPlaces,
): boolean {
  return patterns.some(
    (pattern) => (!isProtected || pattern.namesProtected) && allowsPath(pattern, place, places),
  );
}

export function allowsSubjectUrl(patterns: readonly UrlPattern[], url: string): boolean {
  return patterns.some((pattern) => matchUrl(pattern, url));
}
