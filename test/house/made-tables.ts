import type { SettingGroup } from "../../packages/core/src/session/settings/all-settings.ts";
import { describeSchema } from "../../packages/core/src/settings/explain-mismatch.ts";
import { type Flag, flagVariable } from "../../packages/core/src/settings/flag.ts";
import { settingsIn } from "../../packages/core/src/settings/setting.ts";
import { variablesOf } from "../../packages/core/src/settings/variables.ts";
import type { Tool } from "../../packages/core/src/spec/index.ts";

type MakeRow = (textOf: (name: string) => string | undefined) => string;

/**
 * The page with a row for each name in the place of the first rows that begin with a text, from a line on. `textOf` gives
 * what the last cell but `behind` ones of the row of a name says so far.
 */
function withRows(
  page: string,
  from: string,
  begin: string,
  behind: number,
  rows: readonly MakeRow[],
): string {
  const lines = page.split("\n");
  const start = lines.findIndex((line, at) => at >= lines.indexOf(from) && line.startsWith(begin));
  const count = lines.slice(start).findIndex((line) => !line.startsWith(begin));
  const rowsThere = lines
    .slice(start, start + count)
    .map((line) => line.split("|").map((cell) => cell.trim()));
  const textOf = (name: string) => rowsThere.find(([, first]) => first === name)?.at(-2 - behind);
  return lines.toSpliced(start, count, ...rows.map((make) => make(textOf))).join("\n");
}

const code = (text: string) => `\`${text}\``;

/** What stands between two marks of a page is made anew. */
function between(page: string, mark: string, lines: readonly string[]): string {
  const [open, close] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [before, after] = [page.split(open)[0], page.split(close)[1]];
  if (before === undefined || after === undefined) throw new Error(`The page has no ${open}.`);
  return [before + open, ...lines, close + after].join("\n");
}

/** `docs/guides/settings.md` with a table for each group of settings, and one for the flags. */
export function settingsPage(
  page: string,
  groups: readonly SettingGroup[],
  flags: Readonly<Record<string, Flag<unknown>>>,
): string {
  return between(between(page, "settings", groups.flatMap(groupTable)), "flags", flagRows(flags));
}

function groupTable({ title, guide, shape }: SettingGroup): readonly string[] {
  const rows = settingsIn(shape).map(({ name, setting }) => {
    const { schema, default: usual, disabledBy, flag, isProtecting } = setting;
    const doc = isProtecting ? `${setting.doc}; where it cannot be read nothing opens` : setting.doc;
    const beside = [
      ...(disabledBy === undefined ? [] : [code(disabledBy)]),
      ...variablesOf(name, setting).map(code),
      ...(flag === undefined ? [] : [`flag ${code(flag)}`]),
    ];
    const allowed = describeSchema(schema).replaceAll("|", "\\|");
    return `| ${[code(name), String(usual ?? "none"), allowed, beside.join(", "), doc].join(" | ")} |`;
  });
  return [
    `### ${title}`,
    "",
    `More: [${guide.replace(/^(?:.*\/|#)/, "").replace(/\.md$/, "")}](${guide}).`,
    "",
    "| setting | default | allowed | variable and flag | what it changes |",
    "|---|---|---|---|---|",
    ...rows,
    "",
  ];
}

function flagRows(flags: Readonly<Record<string, Flag<unknown>>>): readonly string[] {
  const rows = Object.entries(flags).map(([name, { default: usual, description }]) => {
    const value = typeof usual === "boolean" ? (usual ? "on" : "off") : "none";
    return `| ${[code(name), value, code(flagVariable(name)), description].join(" | ")} |`;
  });
  return ["| flag | default | variable | what it does |", "|---|---|---|---|", ...rows];
}

/** `docs/guides/agent.md` with a row for each tool. What a row says stays; a new one says how the description begins. */
export function agentPage(page: string, tools: readonly Tool[]): string {
  const rows = tools.map(({ name, description = "", isReadOnly, isConcurrent }): MakeRow => {
    const [sentence = ""] = description.split(/\.(?:\s|$)/);
    const begin = `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
    const beside = isReadOnly || isConcurrent ? "yes" : "no";
    return (textOf) => `| \`${name}\` | ${textOf(`\`${name}\``) ?? begin} | ${beside} |`;
  });
  return withRows(page, "| tool | what it does | side by side |", "| `", 1, rows);
}
