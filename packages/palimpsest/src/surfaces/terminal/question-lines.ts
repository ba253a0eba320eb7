import type { PermissionQuestion, PermissionRules, ToolSubject, UserQuestion } from "@palimpsest/core/spec";
import { escapeTerminal, shownText } from "./escape-terminal.ts";
import type { Style } from "./style.ts";
import { breakText, wrapBehind } from "./wrap-text.ts";

const indent = "    ";

/** Of a field, where it is told already what is touched. */
const maxFieldLines = 8;

const verbs = { read: "reads", write: "writes", execute: "runs" } as const;

interface Location {
  readonly columns: number;
  readonly style: Style;
}

/** Everything a person needs to decide: what is touched is shown whole. */
export function permissionLines(
  question: PermissionQuestion,
  always: PermissionRules | undefined,
  location: Location,
): readonly string[] {
  const { tool, subjects, reason, input } = question;
  const { style, columns } = location;
  return [
    "",
    style.bold(style.yellow(`? ${escapeTerminal(tool)}`)),
    ...subjects.flatMap((subject) => subjectLines(subject, location)),
    ...inputLines(input, subjects, location),
    ...wrapBehind("  why: ", escapeTerminal(reason), columns),
    ...(always
      ? wrapBehind("  always, in this run: ", escapeTerminal((always.allow ?? []).join(", ")), columns)
      : []),
  ];
}

function subjectLines(
  { kind, access, value, realPath }: ToolSubject,
  { columns, style }: Location,
): string[] {
  const isLink = typeof realPath === "string" && realPath !== value;
  const leads = isLink ? [style.dim("  which leads to"), ...textLines(realPath, columns)] : [];
  return [
    style.dim(`  ${kind === "url" ? "fetches" : verbs[access]}`),
    ...textLines(value, columns),
    ...leads,
  ];
}

/** The rest of the call: a field a paragraph. A command is its own input; a plan is agreed on whole. */
function inputLines(input: unknown, subjects: readonly ToolSubject[], location: Location): readonly string[] {
  if (subjects.some(({ kind }) => kind !== "path")) return [];
  const fields = Object.entries(typeof input === "object" && input !== null ? input : {});
  return fields
    .filter(([, value]) => !subjects.some((subject) => isSame(subject, value)))
    .flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      const lines = textLines(text, location.columns);
      const isLong = subjects.length > 0 && lines.length > maxFieldLines;
      const more = isLong ? [`${indent}… ${lines.length - maxFieldLines} more lines`] : [];
      const shown = isLong ? lines.slice(0, maxFieldLines) : lines;
      return [location.style.dim(`  ${escapeTerminal(name)}`), ...shown, ...more];
    });
}

/** The path as the model wrote it may be a relative one. */
function isSame({ value }: ToolSubject, field: unknown): boolean {
  return typeof field === "string" && (field === value || value.endsWith(`/${field}`));
}

function textLines(text: string, columns: number): string[] {
  return shownText(text)
    .split("\n")
    .flatMap((line) => breakText(line, columns - indent.length).map((part) => indent + part));
}

/** One question of the model, its answers numbered. */
export function userQuestionLines(
  { question, options }: UserQuestion,
  location: Location,
): readonly string[] {
  const { columns, style } = location;
  const numbered = options.flatMap(({ label, description }, index) => {
    const more = description === undefined ? "" : ` (${description})`;
    return wrapBehind(`  ${index + 1}  `, escapeTerminal(label + more), columns);
  });
  return ["", ...wrapBehind("? ", escapeTerminal(question), columns).map(style.bold), ...numbered];
}
