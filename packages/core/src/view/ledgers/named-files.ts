import type { NamedFile } from "../../spec/index.ts";
import { ownCopy } from "../own-copy.ts";
import { sharedMap } from "./copy-on-write.ts";

/** How many names the ledger keeps: those named last. */
export const maxNamedFiles = 4_000;

/** Characters that paths are made of, by their code. */
const isPathCode = Uint8Array.from({ length: 128 }, (_zero, code) =>
  /[\w.@~+/-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const fileName = /^[\w@+.-][\w.@+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const maxPathChars = 160;
/** Names without a folder count by their ending, since much else has a dot in it. */
const bareName =
  /(?<![\w./@-])\.?\w[\w-]*(?:\.[\w-]+)?\.(?:md|ya?ml|json|toml|tsx?|[cm]?js|jsx|go|py|rs|java|kt|rb|php|swift|c|h|cpp|cs|sh|css|html|sql|txt|lock|mod|sum|cfg|ini)(?![\w/(@-]|\.\w)/g;
/** Of longer texts only the beginning is looked at for bare names. */
const maxBareChars = 2_000;

export interface NamedFilesSnapshot {
  readonly files: ReadonlyMap<string, NamedFile>;
  readonly results: number;
}

export const noNamedFiles: NamedFilesSnapshot = { files: new Map(), results: 0 };

/** The files that calls and their results name, as they are named, the last named last. */
export interface NamedFiles {
  readonly files: ReadonlyMap<string, NamedFile>;
  /** What a call or its result says. */
  read(text: string): void;
  /** What is read from here on belongs to the next result. */
  next(): void;
  snapshot(): NamedFilesSnapshot;
}

export function createNamedFiles(start: NamedFilesSnapshot): NamedFiles {
  const files = sharedMap(start.files);
  let { results } = start;

  function see(found: string): void {
    const path = found.replace(/^\.\//, "").replace(/[.-]+$/, "");
    if (!fileName.test(path.slice(path.lastIndexOf("/") + 1))) return;
    const known = files.value.get(path);
    if (known?.newest === results) return;
    const map = files.own();
    if (known) map.delete(path);
    map.set(ownCopy(path), { count: (known?.count ?? 0) + 1, newest: results });
    const [oldest] = map.size > maxNamedFiles ? map.keys() : [];
    if (oldest !== undefined) map.delete(oldest);
  }

  return {
    get files() {
      return files.value;
    },
    read: (text) => findPaths(text, see),
    next() {
      results += 1;
    },
    snapshot: () => ({ files: files.share(), results }),
  };
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
