import type { ChangeSet, ReviewReason } from "@palimpsest/core/internal";
import { escapeTerminal } from "../escape-terminal.ts";
import { textWidth } from "../fit-text.ts";
import type { Terminal } from "../terminal.ts";

type Screen = Pick<Terminal, "style" | "columns">;

/** What a dream changes, one file a line, and what it wants a person to look at. */
export function changeLines({ changes, flags }: ChangeSet, { style, columns }: Screen): readonly string[] {
  const lines = changes.flatMap((change) => {
    const mark =
      change.kind === "remove" ? style.red("-") : change.expect === 0 ? style.green("+") : style.yellow("~");
    const why = wrapText(escapeTerminal(change.reason), columns - 4).map((line) => style.dim(`    ${line}`));
    const against = change.contradiction
      ? wrapText(escapeTerminal(`contradicted: ${change.contradiction}`), columns - 4).map(
          (line) => `    ${line}`,
        )
      : [];
    return [`${mark} ${escapeTerminal(change.path)}`, ...why, ...against];
  });
  const flagged = flags.flatMap(({ kind, path, target }) =>
    wrapText(escapeTerminal(`! ${path}: ${flagWords[kind]} ${target}`), columns),
  );
  return [...lines, ...flagged.map(style.yellow)];
}

const flagWords = {
  "dead-link": "links to what is gone:",
  "missing-path": "names a path that is not there:",
  duplicate: "says the same as",
} as const;

export function reasonLines(reasons: readonly ReviewReason[], { columns }: Screen): readonly string[] {
  return reasons.flatMap(({ message }) => {
    const [first = "", ...rest] = wrapText(escapeTerminal(message), columns - 4);
    return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
  });
}

/** A text on lines of at most so many columns, broken between words; a longer word is broken where it must be. */
function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (textWidth(joined) <= columns) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (textWidth(line) > columns) {
      const characters = [...line];
      lines.push(characters.slice(0, Math.floor(columns / 2)).join(""));
      line = characters.slice(Math.floor(columns / 2)).join("");
    }
  }
  return line === "" ? lines : [...lines, line];
}
