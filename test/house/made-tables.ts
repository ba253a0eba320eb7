import type {
  ClearingFlag,
  ClearingSetting,
} from "../../packages/core/src/layers/2-microcompact/strategy.ts";
import { flagVariable } from "../../packages/core/src/session/flags/built-in-provider.ts";
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

/** A text as the code has it: pages add links. */
const withoutLinks = (text = "") =>
  text.replaceAll(/ \(\[[^\]]+\]\([^)]+\)\)/g, "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** `docs/guides/settings.md` with what the clearing strategies declare. A text that only adds links stays. */
export function settingsPage(
  page: string,
  settings: Readonly<Record<string, ClearingSetting>>,
  flags: readonly ClearingFlag[],
): string {
  const settingRows = Object.entries(settings).map(
    ([name, { default: usual, description }]): MakeRow =>
      (textOf) => {
        const cell = `\`microcompact.${name}\``;
        const there = textOf(cell);
        return `| ${cell} | ${usual} | | ${there && withoutLinks(there) === description ? there : description} |`;
      },
  );
  const flagRows = flags.map(
    ({ name, default: usual, description }): MakeRow =>
      () =>
        `| \`${name}\` | ${usual ? "on" : "off"} | \`${flagVariable(name)}\` | ${description} |`,
  );
  const withSettings = withRows(page, "## Settings", "| `microcompact.", 0, settingRows);
  return withRows(withSettings, "## Flags", "| `clear-", 0, flagRows);
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
