import { shownPath } from "./path-names.ts";
import type { SessionReading } from "./read-session.ts";

/** Characters that paths are made of, by their code. */
const isPathCode = Uint8Array.from({ length: 128 }, (_zero, code) =>
  /[\w.@~+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const fileName = /^[\w@+.-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const foreign = /(?:^|\/)(?:node_modules|\.git|dist|build|\.venv|__pycache__|site-packages)\//;
const maxPathChars = 160;
/** Names without a folder count by their ending, since much else has a dot in it. */
const bareName =
  /(?<![\w./@-])\.?\w[\w-]*(?:\.[\w-]+)?\.(?:md|ya?ml|json|toml|tsx?|[cm]?js|jsx|go|py|rs|java|kt|rb|php|swift|c|h|cpp|cs|sh|css|html|sql|txt|lock|mod|sum|cfg|ini)(?![\w/(@-]|\.\w)/g;
/** Of longer results only the beginning is looked at for bare names. */
const maxBareChars = 2_000;

/** A file that a tool spoke of, relative to the root where it is below it. */
export interface SeenPath {
  readonly path: string;
  /** How many calls spoke of it. */
  readonly count: number;
  /** The newest call that did, counted from the first. */
  readonly newest: number;
}

/** The files that calls and their results name, the most telling first. Installed and built files are left out. */
export function seenPaths({ calls }: SessionReading, root: string): readonly SeenPath[] {
  const seen = new Map<string, { count: number; newest: number }>();
  const known = new Map<string, string | null>();
  for (const [at, { argument, outcome }] of calls.entries()) {
    const see = (found: string) => {
      let path = known.get(found);
      if (path === undefined) {
        path = filePath(found, root);
        known.set(found, path);
      }
      if (path === null) return;
      const record = seen.get(path);
      if (!record) seen.set(path, { count: 1, newest: at });
      else if (record.newest !== at) {
        record.count += 1;
        record.newest = at;
      }
    };
    findPaths(argument, see);
    findPaths(outcome?.text ?? "", see);
  }
  const score = ({ count, newest }: SeenPath) => newest + Math.min(count, 5) * calls.length * 0.2;
  return [...seen]
    .map(([path, { count, newest }]) => ({ path, count, newest }))
    .sort((a, b) => score(b) - score(a));
}

/** Looks around every slash, so that text without one costs next to nothing. */
function findPaths(text: string, see: (found: string) => void): void {
  for (let slash = text.indexOf("/"); slash !== -1; ) {
    let from = slash;
    while (from > 0 && isPathCode[text.charCodeAt(from - 1)] === 1 && slash - from < maxPathChars) from -= 1;
    let to = slash + 1;
    while (to < text.length && isPathCode[text.charCodeAt(to)] === 1) to += 1;
    if (to - from <= maxPathChars) see(text.slice(from, to));
    slash = text.indexOf("/", to);
  }
  for (const name of text.slice(0, maxBareChars).match(bareName) ?? []) see(name);
}

/** As it is shown; `null` for what is no file, or not one of the project's. */
function filePath(found: string, root: string): string | null {
  const path = shownPath(found.replace(/^\.\//, "").replace(/[.-]+$/, ""), root);
  if (path.startsWith("//") || foreign.test(path)) return null;
  return fileName.test(path.slice(path.lastIndexOf("/") + 1)) ? path : null;
}
