import { settingGroups, settingsIn, showValue } from "@palimpsest/core/internal";
import { fail } from "@palimpsest/core/spec";
import type { CommandContext, Terminal } from "../../local/terminal.ts";
import { escapeExactly, escapeTerminal, toJson } from "../../terminal/escape-terminal.ts";
import { formatCount, formatNumber } from "../../terminal/format-amount.ts";
import type { Style } from "../../terminal/style.ts";
import { type Cell, renderTable } from "../../terminal/table.ts";
import { cutText, textWidth } from "../../terminal/text-width.ts";
import { wrapBehind, wrapText } from "../../terminal/wrap-text.ts";
import { assignedSettings } from "./assigned-settings.ts";
import { type ExplainedSetting, explainSetting, explanationLines, groupLines } from "./explain-setting.ts";
import { type FileRecord, fileRecords, ignoredPlaces } from "./file-records.ts";
import { findSettings } from "./find-settings.ts";
import { type Configuration, readConfiguration, warningLines } from "./read-configuration.ts";
import { flagRows, type SettingRow, settingRows } from "./setting-rows.ts";
import { killSwitchLines, sourceText } from "./value-source.ts";

export interface ShowOptions {
  readonly cwd?: string;
  readonly all?: boolean;
  readonly set?: readonly string[];
  readonly json?: boolean;
}

/** Shows what is set, and fails afterwards if a settings file is in error: no session opens then. */
export async function runShow(
  context: CommandContext,
  named: readonly string[],
  options: ShowOptions,
): Promise<void> {
  const names = named.length === 0 ? undefined : findSettings(named);
  const { terminal } = context;
  const configuration = await readConfiguration(context, options.cwd, assignedSettings(options));
  const { home, project, survey, warnings } = configuration;
  const files = fileRecords(survey.files);
  const settings = settingRows(configuration);
  const messages = warnings.map(({ message }) => message);
  const flags = flagRows(configuration);
  const problems = survey.problems.map(({ message }) => message);
  const shown = { home, project, files, settings, flags, warnings: messages, problems };
  if (names !== undefined) await explain(context, names, { configuration, shown, options });
  else if (options.json)
    await terminal.write(
      toJson({ ...shown, settings: options.all ? settings.map(withDescription) : settings }),
    );
  else await terminal.write(`${showLines(shown, terminal, options.all === true).join("\n")}\n`);
  const problem = survey.problems[0];
  const broken = files.filter(({ state }) => state === "error").map(({ path }) => path);
  if (broken.length === 0 && problem === undefined) return;
  if (broken.length === 0)
    throw fail("invalid-input", "A variable cannot be used: no session opens.", {
      path: problem?.setting,
      fix: `Correct ${survey.problems.map(({ setting }) => setting).join(", ")}.`,
    }).error;
  const message = `${formatNumber(broken.length, "settings file")} cannot be used: no session opens here, and the values shown are without ${broken.length === 1 ? "it" : "them"}.`;
  throw fail("invalid-input", message, { path: broken[0], fix: `Mend ${broken.join(", ")}.` }).error;
}

interface Explanation {
  readonly configuration: Configuration;
  readonly shown: ShownConfiguration;
  readonly options: ShowOptions;
}

/** One setting with all there is to say of it, or several with what each is for. */
async function explain(
  { terminal }: CommandContext,
  names: readonly string[],
  { configuration, shown, options }: Explanation,
): Promise<void> {
  const { files } = configuration.survey;
  const explained = shown.settings
    .filter(({ setting }) => names.includes(setting))
    .flatMap((row) => explainSetting(row) ?? [])
    .map((row) => ({ ...row, ignored: ignoredPlaces(row.setting, files) }));
  const [first] = explained;
  if (first === undefined) return;
  if (options.json) return terminal.write(toJson(explained.length === 1 ? first : { settings: explained }));
  const lines =
    explained.length === 1
      ? explanationLines(first, lineOf(first, shown.files), terminal, valueText(first), first.ignored)
      : groupLines(explained, terminal, (row) => ({
          value: escapeExactly(valueText(row)),
          source: [
            escapeTerminal(sourceText(row.source, lineOf(row, shown.files))),
            ...ignoredPlaces(row.setting, files).map(escapeTerminal),
          ].join("; "),
        }));
  await terminal.write(`${[...lines, ...problemLines(shown, terminal)].join("\n")}\n`);
}

function withDescription(row: SettingRow): SettingRow & Partial<Pick<ExplainedSetting, "description">> {
  return { ...row, description: explainSetting(row)?.description };
}

interface ShownConfiguration {
  readonly home: string;
  readonly project: string;
  readonly files: readonly FileRecord[];
  readonly settings: readonly SettingRow[];
  /** The flags that somebody has set. */
  readonly flags: readonly SettingRow[];
  readonly warnings: readonly string[];
  /** Of variables; those of a file are with it. */
  readonly problems: readonly string[];
}

type Screen = Pick<Terminal, "columns" | "style">;

/** Columns that names and sources need beside a value. */
const columnsBesideValue = 84;
const minValueColumns = 16;

function showLines(shown: ShownConfiguration, screen: Screen, isAll: boolean): readonly string[] {
  const { columns: width } = screen;
  return [
    `data root  ${fitPath(shown.home, width - 11)}`,
    `project    ${fitPath(shown.project, width - 11)}`,
    "",
    ...fileLines(shown.files, screen),
    "",
    ...setLines(shown, screen),
    "",
    ...(isAll ? allLines(shown, screen) : partLines(shown, screen)),
    ...killSwitchLines(shown.settings.map(({ source }) => source)),
    ...problemLines(shown, screen),
    ...warningLines(shown.warnings, screen),
  ];
}

/** What somebody has set, and who. */
function setLines(shown: ShownConfiguration, screen: Screen): readonly string[] {
  const isSet = ({ setting, source }: SettingRow) => setting !== "flags" && source.kind !== "default";
  const set = [...shown.settings.filter(isSet), ...shown.flags];
  if (set.length > 0) return rowLines("SET", set, shown.files, screen);
  return wrapText(
    'Nothing is set: every setting has its default. To set one, write it into a file named above, such as {"cacheTtl": "1h"}, or try it with --set NAME=VALUE.',
    screen.columns,
  );
}

/** What can be set, with the values of what is not inside a part. */
function partLines({ settings }: ShownConfiguration, { columns, style }: Screen): readonly string[] {
  const width = Math.max(...settingGroups.map(({ title }) => title.length)) + 2;
  const rows = new Map(settings.map((row) => [row.setting, row]));
  const shown = (name: string) => {
    const [part = "", ...inner] = name.split(".");
    const row = rows.get(name);
    if (inner.length > 0 || row === undefined) return `${part}.*`;
    return isSimple(row) ? `${name}=${escapeExactly(valueText(row))}` : name;
  };
  return [
    style.dim("CAN BE SET"),
    ...settingGroups.flatMap(({ title, shape }) => {
      const names = new Set(settingsIn(shape).map(({ name }) => shown(name)));
      const text = [...names].join(", ");
      if (columns - width < minColumnsForNames)
        return [style.bold(title), ...wrapBehind("  ", text, columns)];
      return wrapBehind(title.padEnd(width), text, columns).map((line, at) =>
        at === 0 ? line.replace(title, style.bold) : line,
      );
    }),
    "",
    ...wrapText(
      "config --all shows every setting with its value, defaults too; config NAME one of them, or a group.",
      columns,
    ),
  ];
}

/** As long as names are: where titles leave less, names stand below them. */
const minColumnsForNames = 36;

function isSimple({ value }: SettingRow): boolean {
  return ["number", "boolean"].includes(typeof value) || (typeof value === "string" && !/\s/.test(value));
}

/** Every setting with its value, in groups. */
function allLines(shown: ShownConfiguration, screen: Screen): readonly string[] {
  return settingGroups.flatMap(({ title, shape }, position) => {
    const names = new Set(settingsIn(shape).map(({ name }) => name));
    const rows = shown.settings.filter(({ setting }) => names.has(setting));
    const lines = rowLines(title.toUpperCase(), rows, shown.files, screen);
    return position === 0 ? lines : ["", ...lines];
  });
}

function rowLines(
  title: string,
  rows: readonly SettingRow[],
  files: readonly FileRecord[],
  { columns: width, style }: Screen,
): readonly string[] {
  return renderTable({
    columns: [
      { header: title },
      { header: "VALUE", max: Math.max(minValueColumns, width - columnsBesideValue) },
      { header: "FROM", isFlexible: true },
    ],
    rows: rows.map((row) => settingCells(row, lineOf(row, files), style)),
    width,
    paintHeader: style.dim,
  });
}

function fileLines(files: readonly FileRecord[], { columns: width, style }: Screen): readonly string[] {
  const rows = files.map(({ level, path, state, restricted }): readonly Cell[] => {
    const text = state === "read" && restricted.length > 0 ? "trusted" : state;
    const paints = { absent: style.dim, read: style.green, untrusted: style.yellow, error: style.red };
    return [{ text: level }, { text, paint: paints[state] }, { text: fitPath(path, width - 20) }];
  });
  const columns = [{ header: "FILE   " }, { header: "STATE    " }, { header: "PATH", isFlexible: true }];
  return renderTable({ columns, rows, width, paintHeader: style.dim });
}

function settingCells(row: SettingRow, line: number | undefined, style: Style): readonly Cell[] {
  const isDefault = row.source.kind === "default";
  const paint = isDefault ? style.dim : style.cyan;
  return [
    { text: row.setting },
    { text: escapeExactly(valueText(row)), paint },
    { text: escapeTerminal(sourceText(row.source, line)), paint },
  ];
}

/** The line on which the one file that sets it does so. */
function lineOf({ setting, source }: SettingRow, files: readonly FileRecord[]): number | undefined {
  if (source.kind !== "file" || source.files.length !== 1) return undefined;
  const file = files.find(({ path }) => path === source.files[0]?.path);
  return new Map(Object.entries(file?.lines ?? {})).get(setting);
}

function valueText({ setting, value, isHidden }: SettingRow): string {
  if (isHidden) return "(not shown)";
  if (value === null) return "none";
  if (setting.startsWith("flags.") && typeof value === "boolean") return value ? "on" : "off";
  if (setting === "flags") return formatNumber(Object.keys(Object(value)).length, "flag");
  if (typeof value === "number") return formatCount(value);
  return typeof value === "string" ? value : showValue(value);
}

function problemLines(shown: ShownConfiguration, screen: Screen): readonly string[] {
  const problems = [...shown.files.flatMap(({ problem }) => problem?.split("\n") ?? []), ...shown.problems];
  return problems.length === 0 ? [] : warningLines(problems, screen, "error");
}

/** The end of a path says more than its beginning. */
function fitPath(path: string, columns: number): string {
  const text = escapeTerminal(path);
  if (textWidth(text) <= columns) return text;
  const parts = text.split("/");
  while (parts.length > 1 && textWidth(`…/${parts.join("/")}`) > columns) parts.shift();
  return cutText(`…/${parts.join("/")}`, columns);
}
