import { firstChars } from "@palimpsest/core/internal";
import type { FoundFile, FoundLine, TakeFound } from "./found-file.ts";

export type OutputMode = "content" | "files_with_matches" | "count";

export interface ReportOptions {
  readonly mode: OutputMode;
  /** Results to pass over, and to give at most. */
  readonly offset: number;
  readonly limit: number;
  readonly maxChars: number;
  readonly maxLineChars: number;
  readonly showFile: (path: string) => string;
}

export interface SearchReport {
  readonly take: TakeFound;
  /** What was found, for the model. */
  text(notes: readonly string[]): string;
}

/** Collects results until a page of them is full. */
export function createSearchReport(options: ReportOptions): SearchReport {
  const { mode, offset, limit, maxChars } = options;
  const shown: string[] = [];
  let chars = 0;
  let seen = 0;
  let results = 0;
  let isMore = false;

  function add(result: string, gap: string | undefined): void {
    seen += 1;
    if (seen <= offset || isMore) return;
    const isOver = results > 0 && chars + result.length + 1 > maxChars;
    if (results >= limit || isOver) {
      isMore = true;
      return;
    }
    if (gap !== undefined && results > 0) shown.push(gap);
    shown.push(result);
    results += 1;
    chars += result.length + 1;
  }

  return {
    take(file) {
      const name = options.showFile(file.path);
      if (mode === "files_with_matches") add(name, undefined);
      else if (mode === "count") add(`${name}:${file.count}`, undefined);
      else addLines(file, name);
      return isMore ? "stop" : "go-on";
    },
    text(notes) {
      const all = [...pageNotes(), ...notes];
      const behind = all.length > 0 ? `\n[${all.join(" ")}]` : "";
      if (results > 0) return shown.join("\n") + behind;
      return (seen > 0 ? `No more results: there are ${seen}.` : "Nothing matches.") + behind;
    },
  };

  function addLines({ lines }: FoundFile, name: string): void {
    const hasContext = lines.some(({ isMatch }) => !isMatch);
    let before: FoundLine | undefined;
    for (const found of lines) {
      if (isMore) return;
      const isNewPart = before === undefined || found.line !== before.line + 1;
      const mark = found.isMatch ? ":" : "-";
      const text = cutFound(found, options.maxLineChars);
      add(`${name}${mark}${found.line}${mark}${text}`, hasContext && isNewPart ? "--" : undefined);
      before = found;
    }
  }

  function pageNotes(): readonly string[] {
    const first = offset + 1;
    if (!isMore)
      return offset > 0 && results > 0 ? [`Results ${first} to ${offset + results}, the last ones.`] : [];
    const next = offset + results;
    return [`Results ${first} to ${next}; there are more. Go on with offset ${next}, or narrow the search.`];
  }
}

/** A long line is shown around where the match begins. */
function cutFound({ text, column }: FoundLine, maxChars: number): string {
  if (text.length <= maxChars) return text.toWellFormed();
  const start =
    column > maxChars / 2 ? Math.min(column - Math.floor(maxChars / 4), text.length - maxChars) : 0;
  const part = firstChars(text.slice(start), maxChars);
  const end = start + part.length < text.length ? "…" : "";
  return `${start > 0 ? "…" : ""}${part}${end} [characters ${start + 1} to ${start + part.length} of ${text.length}]`.toWellFormed();
}
