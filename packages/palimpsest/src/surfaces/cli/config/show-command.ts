import {
  agentNumbers,
  type ChosenThresholds,
  compactionNumbers,
  defaultDurability,
  defaultNativeCompaction,
  dreamNumbers,
  foldingNumbers,
  hiddenSettings,
  microcompactNumbers,
  nearestName,
  notesNumbers,
  type Schema,
  type SurveyedFile,
  settingPath,
  settingsSchema,
  showValue,
  toolResultNumbers,
  windowNumbers,
  windowVariable,
} from "@palimpsest/core/internal";
import { fail, type SwitchName } from "@palimpsest/core/spec";
import { escapeTerminal, toJson } from "../escape-terminal.ts";
import { formatCount, formatNumber } from "../format-amount.ts";
import { UsageError } from "../or-throw.ts";
import type { Style } from "../style.ts";
import { type Cell, cutText, renderTable, textWidth } from "../table.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { type Configuration, readConfiguration, warningLines } from "./read-configuration.ts";
import { fromFiles, killSwitchLines, sourceText, toSource, type ValueSource } from "./value-source.ts";

export interface ShowOptions {
  readonly cwd?: string;
  readonly json?: boolean;
}

/** Shows everything, and fails afterwards if a settings file is in error: no session opens then. */
export async function runShow(
  context: CommandContext,
  extra: readonly string[],
  options: ShowOptions,
): Promise<void> {
  refuseExtra(extra);
  const { terminal } = context;
  const configuration = await readConfiguration(context, options.cwd);
  const { home, project, survey, warnings } = configuration;
  const files = fileRecords(survey.files);
  const settings = settingRows(configuration);
  const messages = warnings.map(({ message }) => message);
  await terminal.write(
    options.json
      ? toJson({ home, project, files, settings, warnings: messages })
      : `${showLines({ home, project, files, settings, warnings: messages }, terminal).join("\n")}\n`,
  );
  const broken = files.filter(({ state }) => state === "error").map(({ path }) => path);
  if (broken.length === 0) return;
  const message = `${formatNumber(broken.length, "settings file")} cannot be used: no session opens here, and the values shown are without ${broken.length === 1 ? "it" : "them"}.`;
  throw fail("invalid-input", message, { path: broken[0], fix: `Mend ${broken.join(", ")}.` }).error;
}

/** `config` alone is `config show`, so a mistyped command arrives here. */
function refuseExtra([named]: readonly string[]): void {
  if (named === undefined) return;
  const meant = nearestName(named, ["show", "flags", "set-flag", "trust"]);
  const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
  throw new UsageError(
    `unknown command '${named}'${hint}; use: palimpsest config show|flags|set-flag|trust [--cwd DIR] [--json]`,
  );
}

interface ShownConfiguration {
  readonly home: string;
  readonly project: string;
  readonly files: readonly FileRecord[];
  readonly settings: readonly SettingRow[];
  readonly warnings: readonly string[];
}

type Screen = Pick<Terminal, "columns" | "style">;

const maxValueColumns = 16;

function showLines(shown: ShownConfiguration, screen: Screen): readonly string[] {
  const { columns: width, style } = screen;
  const settings = renderTable({
    columns: [
      { header: "SETTING" },
      { header: "VALUE", max: maxValueColumns },
      { header: "FROM", isFlexible: true },
    ],
    rows: shown.settings.map((row) => settingCells(row, style)),
    width,
    paintHeader: style.dim,
  });
  return [
    `data root  ${fitPath(shown.home, width - 11)}`,
    `project    ${fitPath(shown.project, width - 11)}`,
    "",
    ...fileLines(shown.files, screen),
    "",
    ...settings,
    ...killSwitchLines(shown.settings.map(({ source }) => source)),
    ...problemLines(shown.files, screen),
    ...warningLines(shown.warnings, screen),
  ];
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

function settingCells(row: SettingRow, style: Style): readonly Cell[] {
  const isDefault = row.source.kind === "default";
  const paint = isDefault ? style.dim : style.cyan;
  return [
    { text: row.setting },
    { text: escapeTerminal(valueText(row)), paint },
    { text: escapeTerminal(sourceText(row.source)), paint },
  ];
}

function valueText({ setting, value, isHidden }: SettingRow): string {
  if (isHidden) return "(not shown)";
  if (value === null) return "none";
  if (setting === "flags") return formatNumber(Object.keys(value as object).length, "flag");
  if (typeof value === "number") return formatCount(value);
  return typeof value === "string" ? value : showValue(value);
}

function problemLines(files: readonly FileRecord[], screen: Screen): readonly string[] {
  const problems = files.flatMap(({ problem }) => problem ?? []);
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

/** One of the settings files, for people and programs. */
interface FileRecord {
  readonly level: SurveyedFile["level"];
  readonly path: string;
  /** `untrusted`: read, but for its restricted parts. */
  readonly state: "absent" | "read" | "untrusted" | "error";
  /** Its restricted settings; empty in the user's own files, which need no trust. */
  readonly restricted: readonly string[];
  /** Its problem; `null` unless it is in error. */
  readonly problem: string | null;
}

function fileRecords(files: readonly SurveyedFile[]): readonly FileRecord[] {
  return files.map(({ level, path, found }) => {
    if (!found.ok) return { level, path, state: "error", restricted: [], problem: found.error.message };
    const { restricted } = found.value ?? {};
    const state = restricted?.isTrusted === false ? "untrusted" : found.value ? "read" : "absent";
    return { level, path, state, restricted: restricted?.parts ?? [], problem: null };
  });
}

/** One setting as it is in force. */
interface SettingRow {
  readonly setting: string;
  /** `null` where nothing is set and there is no default. */
  readonly value: unknown;
  /** Set, and kept back: it may hold keys. */
  readonly isHidden: boolean;
  readonly source: ValueSource;
}

/** Every setting there is, with its value and who set it. */
export function settingRows(configuration: Configuration): readonly SettingRow[] {
  return settingLocations().map((place) => {
    const setting = settingPath(place);
    const { value, source } =
      findDecided(setting, configuration) ?? fromSettings(place, setting, configuration);
    const isHidden = mayHoldKeys(setting) && source.kind !== "default";
    return { setting, value: isHidden ? null : value, isHidden, source };
  });
}

type DecidedSetting = Pick<SettingRow, "value" | "source">;

/** Where more than files have a say, the engine has decided. */
function findDecided(setting: string, configuration: Configuration): DecidedSetting | undefined {
  const { switches, thresholds, window, survey, flags } = configuration;
  const by = (said = "default") => toSource(said, survey, flags);
  const switchName = setting.replace(/Enabled$/, "");
  if (Object.hasOwn(switches.sources, switchName)) {
    const name = switchName as SwitchName;
    return { value: switches[name], source: by(switches.sources[name]) };
  }
  if (Object.hasOwn(thresholds, setting)) {
    const chosen = thresholds[setting as keyof ChosenThresholds];
    return { value: chosen.value ?? null, source: by(chosen.setting) };
  }
  if (setting === "window.defaultWindowTokens" && window.source === "environment") {
    return { value: window.tokens, source: { kind: "environment", variable: windowVariable } };
  }
  return undefined;
}

function fromSettings(place: readonly string[], setting: string, { survey }: Configuration): DecidedSetting {
  const value = valueAt(survey.settings, place) ?? valueAt(defaults, place) ?? null;
  return { value, source: fromFiles(setting, survey) };
}

const defaults = {
  window: windowNumbers,
  toolResults: toolResultNumbers,
  microcompact: microcompactNumbers,
  compaction: { native: defaultNativeCompaction, ...compactionNumbers },
  sessionNotes: notesNumbers,
  folding: foldingNumbers,
  dream: { enabled: true, ...dreamNumbers, dailyLogs: false },
  agents: agentNumbers,
  durability: defaultDurability,
};

function valueAt(value: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((part, name) => new Map(Object.entries(part ?? {})).get(name), value);
}

function mayHoldKeys(setting: string): boolean {
  return (hiddenSettings as readonly string[]).includes(setting);
}

/** Every setting by its place, in the order of the schema. Flags and hooks are one each. */
function settingLocations(): readonly (readonly string[])[] {
  return placesIn(settingsSchema, []);
}

/** Every setting as it is written: `durability`, `window.autoBufferTokens`. */
export function settingNames(): readonly string[] {
  return settingLocations().map(settingPath);
}

function placesIn(schema: Schema, place: readonly string[]): readonly (readonly string[])[] {
  if (schema.kind !== "fields" || ["flags", "hooks"].includes(place.join())) return [place];
  return Object.entries(schema.fields).flatMap(([name, part]) => placesIn(part, [...place, name]));
}
