import { showValue } from "@palimpsest/core/internal";
import { cutText, textWidth } from "../fit-text.ts";
import { formatCount, formatNumber } from "../format-amount.ts";
import { toHarmless } from "../harmless.ts";
import type { Style } from "../style.ts";
import { type Cell, renderTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";
import type { FileRecord } from "./file-records.ts";
import type { SettingRow } from "./setting-rows.ts";
import { killSwitchLines, sourceText } from "./value-source.ts";
import { warningLines } from "./warning-lines.ts";

export interface ShownConfiguration {
  readonly home: string;
  readonly project: string;
  readonly files: readonly FileRecord[];
  readonly settings: readonly SettingRow[];
  readonly warnings: readonly string[];
}

type Screen = Pick<Terminal, "columns" | "style">;

const maxValueColumns = 16;

export function showLines(shown: ShownConfiguration, screen: Screen): readonly string[] {
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
    { text: toHarmless(valueText(row)), paint },
    { text: toHarmless(sourceText(row.source)), paint },
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
  const text = toHarmless(path);
  if (textWidth(text) <= columns) return text;
  const parts = text.split("/");
  while (parts.length > 1 && textWidth(`…/${parts.join("/")}`) > columns) parts.shift();
  return cutText(`…/${parts.join("/")}`, columns);
}
