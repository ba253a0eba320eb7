import type { Memory } from "../../../spec/index.ts";

const link = /(\]\()([^()\s]+)(\))/g;
const fence = /(```[\s\S]*?(?:```|(?![\s\S])))/;
const codeSpan = /`([^`\n]+)`/g;
const pathLike = /^(?:~|\.{1,2})?\/?[\w@.-]+(?:\/[\w@.-]+)*\/?$/;

/** The path in the memory folder that a link in one of its files leads to; `null` where it leads out of it. */
function linkedPath(from: string, target: string): string | null {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(target)) return null;
  const parts = from.split("/").slice(0, -1);
  for (const part of decodeTarget(target.replace(/#.*$/, "")).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

function decodeTarget(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
}

function outsideFences(text: string, change: (part: string) => string): string {
  return text
    .split(fence)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join("");
}

/** Links to files of the memory folder, each once, with the path they lead to. */
export function linksIn(
  from: string,
  text: string,
): readonly { readonly target: string; readonly path: string }[] {
  const found = new Map<string, string>();
  outsideFences(text, (part) => {
    for (const [, , target = ""] of part.matchAll(link)) {
      const path = linkedPath(from, target);
      if (path !== null) found.set(target, path);
    }
    return part;
  });
  return [...found].map(([target, path]) => ({ target, path }));
}

/** The text with its links to files that moved leading to where these are now. */
export function relink(from: string, text: string, moved: ReadonlyMap<string, string>): string {
  const up = "../".repeat(from.split("/").length - 1);
  return outsideFences(text, (part) =>
    part.replace(link, (whole, open: string, target: string, close: string) => {
      const to = moved.get(linkedPath(from, target) ?? "");
      return to === undefined ? whole : `${open}${encodeURI(`${up}${to}`)}${close}`;
    }),
  );
}

/** Texts in code spans that look like a path of a file or folder, each once. */
export function pathsIn(text: string): readonly string[] {
  const found = new Set<string>();
  outsideFences(text, (part) => {
    for (const [, span = ""] of part.matchAll(codeSpan)) {
      const isPath = span.includes("/") && pathLike.test(span);
      if (isPath && (/\.[a-z0-9]{1,8}$/i.test(span) || span.endsWith("/") || /^[~.]?\//.test(span)))
        found.add(span);
    }
    return part;
  });
  return [...found];
}

/** The index, generated below its marker. */
export const indexPath = "MEMORY.md";

const quarantineFolder = "quarantine/";
const logsFolder = "logs/";

export function isQuarantined(path: string): boolean {
  return path.startsWith(quarantineFolder);
}

export function isDailyLog(path: string): boolean {
  return path.startsWith(logsFolder);
}

/** A file that holds one memory which counts: not the index, a log, or something that waits in quarantine. */
export function isMemoryPath(path: string): boolean {
  return path.endsWith(".md") && path !== indexPath && !isQuarantined(path) && !isDailyLog(path);
}

/** A memory as its file says it. */
export type ParsedMemory = Omit<Memory, "version" | "at">;

/** How memories are written down; both are total. */
export interface MemoryFormat {
  /** `null` for a text that is no memory. */
  parse(path: string, text: string): ParsedMemory | null;
  format(memory: ParsedMemory): string;
}

/** The index of the memory folder. */
export interface IndexFormat {
  /** The memory's line. */
  line(memory: ParsedMemory): string;
  /** The whole index, given the present one, whose lines above the marker are the user's own. */
  build(memories: readonly ParsedMemory[], present: string | null): string;
  readonly maxLineChars: number;
}
