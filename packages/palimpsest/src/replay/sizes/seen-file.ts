import { estimatedTokens } from "./estimated-tokens.ts";

/** A file as far as a recording shows it: from what tools printed of it and from what was changed in it. */
export interface SeenFile {
  /** Lines as a file tool prints them, behind their numbers. Fewer than were asked for: the file ends there. */
  show(printed: string, askedLines: number): void;
  write(text: string): void;
  /** Leaves what it does not find. */
  edit(before: string, after: string, isEverywhere: boolean): void;
  /** Estimated; lines that were never shown are taken to be like the others, of which there are at least `minLines`. */
  sizes(minLines: number): { readonly plain: number; readonly numbered: number };
}

/** Stands for a line that was never shown. */
const unseen = "\u0000";
const numbered = /^ *(\d+)(?:→|\t)(.*)$/;
const maxLines = 100_000;

export function createSeenFile(): SeenFile {
  let lines: string[] = [];
  let isEndKnown = false;

  return {
    show(printed, askedLines) {
      let last = 0;
      let count = 0;
      for (const line of printed.split("\n")) {
        const [, number, text] = numbered.exec(line) ?? [];
        if (number === undefined || text === undefined || Number(number) > maxLines) continue;
        last = Number(number);
        count += 1;
        while (lines.length < last) lines.push(unseen);
        lines[last - 1] = text;
      }
      if (count === 0 || count >= askedLines) return;
      lines = lines.slice(0, last);
      isEndKnown = true;
    },
    write(text) {
      lines = text.split("\n");
      isEndKnown = true;
    },
    edit(before, after, isEverywhere) {
      const text = lines.join("\n");
      if (!text.includes(before)) return;
      const changed = isEverywhere ? text.split(before).join(after) : text.replace(before, () => after);
      lines = changed.split("\n");
    },
    sizes(minLines) {
      const shown = lines.flatMap((line, at) => (line === unseen ? [] : [{ line, number: at + 1 }]));
      const all = isEndKnown ? lines.length : Math.max(minLines, lines.length);
      const grown = all / Math.max(1, shown.length);
      const withNumbers = shown.map(({ line, number }) => `${String(number).padStart(6)}→${line}`);
      return {
        plain: grown * tokensOf(shown.map(({ line }) => line)),
        numbered: grown * tokensOf(withNumbers),
      };
    },
  };
}

function tokensOf(lines: readonly string[]): number {
  return estimatedTokens({ type: "text", text: lines.join("\n") });
}
