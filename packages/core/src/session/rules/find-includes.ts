/** Files that a text includes by `@path`, in order, each once; not in code, quoted or commented out. */
export function findIncludes(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, path = ""] of withoutCode(text).matchAll(/(?<=^|[\s([])@((?:\\[^\n]|[^\s\\])+)/g)) {
    const named = path.replace(/[.,;:!?)\]}'"*_>]+$/, "").replace(/\\(.)/g, "$1");
    if (isPath(named)) found.add(named);
  }
  return [...found];
}

/** A word without slash and dot is somebody's name; so is what begins like a package of a scope, until it is there. */
function isPath(text: string): boolean {
  return text.includes("/") || /\.[A-Za-z0-9]+$/.test(text);
}

/** Whether a missing file is worth a word: `@scope/package` hardly meant one. */
export function looksLikeFile(path: string): boolean {
  return /^(?:\.{0,2}\/|~\/)|\.[A-Za-z0-9]+$/.test(path);
}

/** The text with code blocks, code spans and comments blanked out. */
function withoutCode(text: string): string {
  const lines = text.split("\n");
  const kept: string[] = [];
  let fence: string | undefined;
  let isIndented = false;
  let before = "";
  for (const line of lines) {
    const [, mark] = /^ {0,3}(?:>[ \t]?)*(`{3,}|~{3,})/.exec(line) ?? [];
    const isBlank = line.trim() === "";
    isIndented = /^(?: {4}|\t)/.test(line) ? isIndented || startsCode(kept, before) : isBlank && isIndented;
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim().replace(/^[>\s]+/, "") === mark) fence = undefined;
      kept.push("");
    } else if (
      mark !== undefined &&
      !(mark.startsWith("`") && line.slice(line.indexOf(mark) + mark.length).includes("`"))
    ) {
      fence = mark;
      kept.push("");
    } else kept.push(isIndented ? "" : line);
    if (!isBlank) before = line;
  }
  return withoutSpans(kept.join("\n").replace(/<!--[\s\S]*?(?:-->|$)/g, ""));
}

/** An indented line is code behind a blank one, unless it belongs to a list. */
function startsCode(kept: readonly string[], before: string): boolean {
  return (kept.at(-1) ?? "").trim() === "" && !/^\s*(?:[-*+]|\d+[.)])\s/.test(before) && !/^\s/.test(before);
}

/** A span ends at as many backticks as it began with, within its paragraph. */
function withoutSpans(text: string): string {
  return text
    .split(/(\n[ \t]*\n)/)
    .map((paragraph) => blankSpans(paragraph))
    .join("");
}

function blankSpans(paragraph: string): string {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ length: ticks.length, index }));
  let result = "";
  let from = 0;
  const unclosed = new Set<number>();
  for (let at = 0; at < runs.length; at += 1) {
    const open = runs[at];
    if (open === undefined || open.index < from || unclosed.has(open.length)) continue;
    const close = runs.findIndex((run, position) => position > at && run.length === open.length);
    const end = runs[close];
    if (end === undefined) unclosed.add(open.length);
    else {
      result += `${paragraph.slice(from, open.index)} `;
      from = end.index + end.length;
      at = close;
    }
  }
  return result + paragraph.slice(from);
}
