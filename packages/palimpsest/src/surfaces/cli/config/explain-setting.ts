import { describeSchema, settingsIn, settingsShape, showValue, variablesOf } from "@palimpsest/core/internal";
import type { Terminal } from "../../local/terminal.ts";
import { escapeExactly, escapeTerminal } from "../../terminal/escape-terminal.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { toShellWord } from "../command-line.ts";
import type { SettingRow } from "./setting-rows.ts";
import { sourceText } from "./value-source.ts";

/** All there is to say of one setting. */
export interface ExplainedSetting extends SettingRow {
  readonly default: unknown;
  /** The values it takes, in words. */
  readonly allowed: string;
  /** Strongest first. */
  readonly variables: readonly string[];
  /** A variable that, where it is truthy, turns it off. */
  readonly disabledBy: string | null;
  readonly flag: string | null;
  /** Where it cannot be read, nothing opens. */
  readonly isProtecting: boolean;
  /** A value it could have; `null` where the default says it. */
  readonly example: unknown;
  readonly description: string;
}

export function explainSetting(row: SettingRow): ExplainedSetting | undefined {
  const found = settingsIn(settingsShape).find(({ name }) => name === row.setting);
  if (!found) return undefined;
  const { name, setting } = found;
  return {
    ...row,
    default: setting.default ?? null,
    allowed: describeSchema(setting.schema),
    variables: variablesOf(name, setting),
    disabledBy: setting.disabledBy ?? null,
    flag: setting.flag ?? null,
    isProtecting: setting.isProtecting ?? false,
    example: setting.example ?? null,
    description: setting.doc,
  };
}

export function explanationLines(
  explained: ExplainedSetting,
  line: number | undefined,
  { columns, style }: Pick<Terminal, "columns" | "style">,
  value: string,
  ignored: readonly string[],
): readonly string[] {
  const { setting, source, allowed, variables, disabledBy, flag, example } = explained;
  const rows: readonly (readonly [string, string] | null)[] = [
    ["value", escapeExactly(value)],
    ["set by", escapeTerminal(sourceText(source, line))],
    ["default", explained.default === null ? "none" : showValue(explained.default)],
    ...ignored.map((place) => ["ignored", place] as const),
    ["allowed", allowed],
    example === null ? null : ["example", spacedJson(example)],
    variables.length === 0 ? null : ["variable", variables.join(", ")],
    disabledBy === null ? null : ["switch it off", `${disabledBy}=1`],
    flag === null ? null : ["flag", flag],
    ["try it", `--set ${assignment(explained)}`],
  ];
  return [
    style.bold(setting),
    ...wrapBehind("  ", plainDescription(explained), columns),
    "",
    ...rows.flatMap((row) => (row ? labelledLines(row, columns) : [])),
  ];
}

/** Below this a variable would not fit beside its label. */
const minColumnsForLabels = 60;

function labelledLines([label, text]: readonly [string, string], columns: number): readonly string[] {
  if (columns >= minColumnsForLabels) return wrapBehind(`  ${label.padEnd(14)}`, text, columns);
  return [`  ${label}`, ...wrapBehind("    ", text, columns)];
}

/** As it is written behind `--set`, in a form that a shell hands on. */
function assignment({ setting, default: usual, example }: ExplainedSetting): string {
  if (example !== null && typeof example === "object")
    return toShellWord(`${setting}=${spacedJson(example)}`);
  const value = example ?? usual;
  return `${setting}=${value === null ? "VALUE" : String(value)}`;
}

/** On one line, with spaces at which it can be wrapped. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function plainDescription({ description, isProtecting }: ExplainedSetting): string {
  const text = description.replaceAll("`", "");
  return isProtecting ? `${text}; where it cannot be read nothing opens` : text;
}

/** The settings of one group, each with its value, who set it, and below what it changes. */
export function groupLines(
  rows: readonly ExplainedSetting[],
  { columns, style }: Pick<Terminal, "columns" | "style">,
  shown: (row: SettingRow) => { readonly value: string; readonly source: string },
): readonly string[] {
  return rows.flatMap((row) => {
    const { value, source } = shown(row);
    const head = wrapBehind(`${row.setting}  `, `${value}  (${source})`, columns);
    return [
      ...head.map((line) => line.replace(row.setting, style.bold)),
      ...wrapBehind("  ", plainDescription(row), columns).map(style.dim),
    ];
  });
}
