import type { BlamedLine, TreeVersion } from "../spec/index.ts";
import { diffLines, toLines } from "./diff-lines.ts";

export interface VersionText {
  readonly version: TreeVersion;
  /** Empty for a removal. */
  readonly text: string;
}

/** Which version brought each line of the newest text. `history` is oldest first. */
export function blameLines(history: readonly VersionText[]): readonly BlamedLine[] {
  let blamed: readonly BlamedLine[] = [];
  for (const { version, text } of history) {
    const lines = toLines(text);
    const changes = diffLines(
      blamed.map(({ line }) => line),
      lines,
    );
    const next: BlamedLine[] = [];
    let at = 0;
    for (const { from, fromEnd, to, toEnd } of changes) {
      next.push(...blamed.slice(at, from));
      next.push(...lines.slice(to, toEnd).map((line) => ({ line, version })));
      at = fromEnd;
    }
    blamed = [...next, ...blamed.slice(at)];
  }
  return blamed;
}
