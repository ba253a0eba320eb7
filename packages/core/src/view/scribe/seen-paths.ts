import type { Ledgers } from "../../spec/index.ts";
import { shownPath } from "./path-names.ts";

const foreign = /(?:^|\/)(?:node_modules|\.git|dist|build|\.venv|__pycache__|site-packages)\//;

/** A file that a tool spoke of, relative to the root where it is below it. */
export interface SeenPath {
  readonly path: string;
  /** How many calls spoke of it. */
  readonly count: number;
  /** The newest call that did, counted from the first. */
  readonly newest: number;
}

/** The files that calls and their results name, the most telling first. Installed and built files are left out. */
export function seenPaths({ namedFiles }: Pick<Ledgers, "namedFiles">, root: string): readonly SeenPath[] {
  const seen = new Map<string, SeenPath>();
  let calls = 0;
  for (const [named, { count, newest }] of namedFiles) {
    calls = Math.max(calls, newest + 1);
    const path = shownPath(named, root);
    if (path.startsWith("//") || foreign.test(path)) continue;
    const known = seen.get(path);
    const all = known
      ? { count: known.count + count, newest: Math.max(known.newest, newest) }
      : { count, newest };
    seen.set(path, { path, ...all });
  }
  const score = ({ count, newest }: SeenPath) => newest + Math.min(count, 5) * calls * 0.2;
  return [...seen.values()].sort((a, b) => score(b) - score(a));
}
