import {
  allowingPattern,
  hostOf,
  isProtectedPath,
  isWithin,
  type PermissionRule,
  toPlainPath,
} from "@palimpsest/core/internal";
import type { PermissionVerdict, ToolSubject } from "@palimpsest/core/spec";
import type { PermissionMatter } from "./decide-permission.ts";
import { allowsSubjectPath, allowsSubjectUrl, realPlace } from "./rule-match.ts";

/** The verdict of the tool's own rules, and then of the mode, on one thing a call would touch. Never denies. */
export function decideSubject(
  subject: ToolSubject,
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionVerdict {
  const rule = allowingRule(subject, matter, own);
  if (rule) return { behavior: "allow", reason: `The rule ${rule.text} allows it.`, rule: rule.text };
  switch (subject.kind) {
    case "path":
      return decidePath(subject, matter);
    case "command":
      return decideCommand(subject, matter);
    case "url":
      return { behavior: "ask", reason: `It asks ${hostOf(subject.value) ?? "an address that is none"}.` };
  }
}

/** One that changes nothing may read where files may be read. */
function decideCommand(subject: ToolSubject, matter: PermissionMatter): PermissionVerdict {
  const { value, reads = [], mayReadMore = false } = subject;
  if (!matter.isReadOnlyCommand(value))
    return { behavior: "ask", reason: "The command may change something." };
  if (mayReadMore) return { behavior: "ask", reason: "What the command reads cannot be told." };
  const verdicts = reads
    .filter((read) => read.isRepository !== true)
    .filter(({ value: path, realPath }) => path !== "/dev/null" || (realPath ?? path) !== path)
    .map((read) => decidePath({ ...read, kind: "path", access: "read" }, matter));
  const asking = verdicts.find(({ behavior }) => behavior === "ask");
  return asking ?? { behavior: "allow", reason: "The command changes nothing." };
}

function decidePath(subject: ToolSubject, matter: PermissionMatter): PermissionVerdict {
  const { workspace, readable = [], mode, planFile } = matter;
  const place = realPlace(subject);
  const ask = (reason: string): PermissionVerdict => ({ behavior: "ask", reason });
  if (place === undefined) return ask(`Where ${subject.value} leads cannot be told.`);
  const isInside = workspace.some((root) => isWithin(place, root));
  if (subject.access === "read") {
    if (isInside) return { behavior: "allow", reason: "It reads inside the workspace." };
    if (readable.some((root) => isWithin(place, root)))
      return { behavior: "allow", reason: "It reads what the session keeps." };
    return ask(`${place} is outside the workspace.`);
  }
  if (mode === "plan" && place === planFile) return { behavior: "allow", reason: "It writes the plan." };
  if (!isInside) return ask(`${place} is outside the workspace.`);
  if (isProtected(subject, place, matter)) return ask(`Other programs obey ${place}.`);
  if (mode === "ask" || subject.access === "execute") return ask(`It would change ${place}.`);
  return { behavior: "allow", reason: "It writes inside the workspace." };
}

/** Whether the call would change something that other programs obey. */
export function isProtected(
  { value, access }: ToolSubject,
  place: string,
  matter: PermissionMatter,
): boolean {
  if (access === "read") return false;
  return [toPlainPath(value), place].some((path) => isProtectedPath(path, matter.protectedPaths));
}

/** The first of a tool's own rules that allows this; what is protected has to be named by it. */
export function allowingRule(
  subject: ToolSubject,
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionRule | undefined {
  if (subject.kind === "command") return allowingCommand(subject.value, matter, own);
  if (subject.kind === "url") {
    return own.find(
      ({ patterns }) => patterns === undefined || allowsSubjectUrl(ofKind(patterns, "url"), subject.value),
    );
  }
  const place = realPlace(subject);
  if (place === undefined) return undefined;
  const isKept = isProtected(subject, place, matter);
  return own.find(({ patterns }) =>
    patterns === undefined ? !isKept : allowsSubjectPath(ofKind(patterns, "path"), place, isKept, matter),
  );
}

function allowingCommand(
  command: string,
  { isReadOnlyCommand }: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionRule | undefined {
  const every = own.find(({ patterns }) => patterns === undefined);
  if (every) return every;
  const listed = own.flatMap((rule) =>
    ofKind(rule.patterns ?? [], "command").map((pattern) => ({ rule, pattern })),
  );
  const patterns = listed.map(({ pattern }) => pattern);
  const position = allowingPattern(patterns, command, isReadOnlyCommand);
  return position === undefined ? undefined : listed[position]?.rule;
}

type Pattern = NonNullable<PermissionRule["patterns"]>[number];

function ofKind<Kind extends Pattern["kind"]>(
  patterns: readonly Pattern[],
  kind: Kind,
): readonly Extract<Pattern, { readonly kind: Kind }>[] {
  return patterns.filter((one): one is Extract<Pattern, { readonly kind: Kind }> => one.kind === kind);
}
