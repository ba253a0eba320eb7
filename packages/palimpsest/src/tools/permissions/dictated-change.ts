import { isProtectedPath, type PermissionRule, splitCommand, trimCommand } from "@palimpsest/core/internal";
import type { PermissionVerdict, ToolSubject } from "@palimpsest/core/spec";
import type { PermissionMatter } from "./decide-permission.ts";
import { allowingRule, isProtected } from "./decide-subject.ts";
import { harmlessGit, namedByCommand } from "./named-by-command.ts";
import { realPlace } from "./rule-match.ts";

/**
 * Asks, in every mode, for a change of what other programs or later sessions obey while untrusted text is in view:
 * otherwise one sentence of a web page is a rule of the next session. A rule that names the file or the whole command is
 * somebody's word for it. Of commands only what they name or could name can be seen, not what they do.
 */
export function dictatedChange(
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): PermissionVerdict | undefined {
  if (!matter.isTainted) return undefined;
  const obeyed = matter.subjects.map((subject) => obeyedBy(subject, matter, own)).find(Boolean);
  if (obeyed === undefined) return undefined;
  const reason = `Other programs or later sessions obey ${obeyed}, and what the model has read lately is not trusted.`;
  return { behavior: "ask", reason };
}

/** What the call would change that is obeyed, as a person would name it. */
function obeyedBy(
  subject: ToolSubject,
  matter: PermissionMatter,
  own: readonly PermissionRule[],
): string | undefined {
  if (subject.kind === "command") return obeyedByCommand(subject.value, matter, own);
  if (subject.kind !== "path" || subject.access === "read") return undefined;
  const place = realPlace(subject) ?? subject.value;
  if (place === matter.planFile || !isProtected(subject, place, matter)) return undefined;
  return allowingRule(subject, matter, own) ? undefined : place;
}

function obeyedByCommand(
  command: string,
  { isReadOnlyCommand, protectedPaths }: PermissionMatter,
  own: readonly PermissionRule[],
): string | undefined {
  if (isReadOnlyCommand(command)) return undefined;
  const isNamed = own
    .flatMap(({ patterns = [] }) => patterns)
    .some(
      (pattern) =>
        pattern.kind === "command" && pattern.form === "exact" && pattern.text === trimCommand(command),
    );
  if (isNamed) return undefined;
  const { parts, isPlain } = splitCommand(command);
  const texts = isPlain
    ? parts.filter(({ words: [program = "", sub = ""] }) => program !== "git" || !harmlessGit.has(sub))
    : [{ text: command }];
  const named = texts
    .flatMap(({ text }) => [...namesIn(text), ...namesIn(text.replace(/['"\\]/g, ""))])
    .find((name) => isProtectedPath(name, protectedPaths));
  return named ?? namedByCommand(command, isReadOnlyCommand, protectedPaths);
}

/** Everything in a command that could be a path, redirects among it. */
function namesIn(text: string): readonly string[] {
  return text.split(/[\s'"`;&|<>(){},=:]+/).filter((name) => name !== "");
}
