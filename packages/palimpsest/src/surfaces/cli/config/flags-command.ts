import { flagTable, showValue } from "@palimpsest/core/internal";
import type { FlagName } from "@palimpsest/core/spec";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { tableRows } from "../../terminal/table.ts";
import { wrapBehind } from "../../terminal/wrap-text.ts";
import { ignoredPlaces } from "./file-records.ts";
import { type Configuration, readConfiguration, warningLines } from "./read-configuration.ts";
import { killSwitchLines, sourceText, toSource, type ValueSource } from "./value-source.ts";

export interface FlagsOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}

interface ShownFlag {
  readonly flag: FlagName;
  readonly value: unknown;
  readonly default: unknown;
  readonly source: ValueSource;
  /** Places in files that wait for trust: they have no effect. */
  readonly ignored?: readonly string[];
  readonly description: string;
}

export async function runFlags(context: CommandContext, options: FlagsOptions): Promise<void> {
  const { terminal } = context;
  const configuration = await readConfiguration(context, options.cwd);
  // Without its file a flag's value would be a wrong answer.
  for (const { found } of configuration.survey.files) if (!found.ok) throw found.error;
  const flags = shownFlags(configuration);
  const warnings = configuration.flags.warnings.map(({ message }) => message);
  if (options.json) return terminal.write(toJson({ flags, warnings }));
  const lines = [...flagLines(flags, terminal), ...warningLines(warnings, terminal)];
  await terminal.write(`${lines.join("\n")}\n`);
}

function shownFlags({ flags, survey }: Configuration): readonly ShownFlag[] {
  return (Object.keys(flagTable) as FlagName[])
    .map((flag) => ({ flag, ignored: ignoredPlaces(`flags.${flag}`, survey.files) }))
    .map(({ flag, ignored }) => ({
      flag,
      value: flags.values[flag],
      default: flagTable[flag].default,
      source: toSource(flags.sources[flag], survey, flags),
      ...(ignored.length > 0 && { ignored }),
      description: flagTable[flag].description,
    }));
}

const maxValueColumns = 24;

/** Two lines or more a flag: what it is, and below what it does. */
function flagLines(flags: readonly ShownFlag[], { columns: width, style }: Terminal): readonly string[] {
  const rows = flags.map(({ flag, value, source }) => {
    const paint = source.kind === "default" ? (text: string) => text : style.cyan;
    return [
      { text: flag, paint: style.bold },
      { text: escapeTerminal(valueText(value)), paint },
      { text: escapeTerminal(sourceText(source)), paint },
    ];
  });
  const columns = [
    { header: "FLAG" },
    { header: "VALUE", max: maxValueColumns },
    { header: "FROM", isFlexible: true },
  ];
  const [header = [], ...blocks] = tableRows({ columns, rows, width, paintHeader: style.dim });
  const described = blocks.flatMap((lines, index) => [
    ...lines,
    ...wrapBehind("  ", flags[index]?.description ?? "", width).map(style.dim),
    ...(flags[index]?.ignored ?? []).flatMap((place) => wrapBehind("  ", escapeTerminal(place), width)),
  ]);
  return [...header, ...described, ...killSwitchLines(flags.map(({ source }) => source))];
}

function valueText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return Object.keys(value as object).length === 0 ? "none" : showValue(value);
}
