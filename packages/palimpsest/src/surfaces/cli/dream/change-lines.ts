import type { ChangeSet, ReviewReason } from "@palimpsest/core/internal";

import { toHarmless } from "../harmless.ts";
import type { Terminal } from "../terminal.ts";
import { wrapText } from "./wrap-text.ts";

type Screen = Pick<Terminal, "style" | "columns">;

/** What a dream changes, one file a line, and what it wants a person to look at. */
export function changeLines({ changes, flags }: ChangeSet, { style, columns }: Screen): readonly string[] {
  const lines = changes.flatMap((change) => {
    const mark =
      change.kind === "remove" ? style.red("-") : change.expect === 0 ? style.green("+") : style.yellow("~");
    const why = wrapText(toHarmless(change.reason), columns - 4).map((line) => style.dim(`    ${line}`));
    const against = change.contradiction
      ? wrapText(toHarmless(`contradicted: ${change.contradiction}`), columns - 4).map(
          (line) => `    ${line}`,
        )
      : [];
    return [`${mark} ${toHarmless(change.path)}`, ...why, ...against];
  });
  const flagged = flags.flatMap(({ kind, path, target }) =>
    wrapText(toHarmless(`! ${path}: ${flagWords[kind]} ${target}`), columns),
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
    const [first = "", ...rest] = wrapText(toHarmless(message), columns - 4);
    return [`  - ${first}`, ...rest.map((line) => `    ${line}`)];
  });
}
