import { showName } from "../quote-foreign.ts";

const place = /^(?:(?<path>[^\s:]+?)[:-])?(?<line>\d+)[:-]/;
const maxLines = 12;

/** `a.ts:12,40 b.ts:7`: where a search has found something, files in the order of the result; empty for other results. */
export function foundPlaces(text: string, maxChars: number): string {
  const files = new Map<string, string[]>();
  for (const row of text.split("\n")) {
    const { path = "", line } = place.exec(row)?.groups ?? {};
    if (line === undefined) continue;
    const lines = files.get(path) ?? [];
    files.set(path, lines);
    if (lines.length < maxLines && row.startsWith(`${path === "" ? "" : `${path}:`}${line}:`))
      lines.push(line);
  }
  let shown = "";
  for (const [path, lines] of files) {
    if (lines.length === 0) continue;
    const next = `${shown === "" ? "" : " "}${path === "" ? "" : `${showName(path)}:`}${lines.join(",")}`;
    if (shown.length + next.length > maxChars) break;
    shown += next;
  }
  return shown;
}
