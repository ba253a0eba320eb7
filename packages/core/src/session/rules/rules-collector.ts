import { isWithin, toPlainPath } from "../../permissions/plain-path.ts";
import { folderOf } from "../../stores/files/disk/whole-file.ts";
import type { RulesLocations } from "./load-rules.ts";
import {
  type LoadedRules,
  maxIncludeDepth,
  maxRulesTotalBytes,
  type RulesFile,
  readRulesFile,
  rulesNames,
} from "./rules-file.ts";

export interface RulesCollector {
  /** The rules files of one folder, with what they include. Each file counts once, whatever it is called. */
  addFolder(folder: string, level: RulesFile["level"]): Promise<void>;
  loaded(): LoadedRules;
}

interface Origin {
  readonly level: RulesFile["level"];
  /** Real paths of the files that include it, outermost first. */
  readonly chain: readonly string[];
  readonly includedBy?: string;
  /** A file outside the project that somebody has allowed. */
  readonly isAllowed?: boolean;
}

/** `places` are real paths. */
export function createRulesCollector(locations: RulesLocations): RulesCollector {
  const { disk, homeFolder, projectRoot, mayRead, mayInclude } = locations;
  const files: RulesFile[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  let totalBytes = 0;

  /** Gives why a file was left out; nothing where it was taken or is known already. */
  async function add(path: string, origin: Origin): Promise<string | undefined> {
    const { level, chain, includedBy, isAllowed } = origin;
    if (level === "project" && !isAllowed && mayRead && !(await isSaid(mayRead, path)))
      return "it may not be read";
    const read = await readRulesFile(disk, path, { level, root: isAllowed ? undefined : projectRoot });
    if (!read.ok) return read.error.code === "not-found" ? "it is not there" : read.error.message;
    const { realPath, text, sha256, bytes } = read.value;
    if (chain.includes(realPath)) return "it includes itself in the end";
    const isCopy = files.some((file) => file.sha256 === sha256 && folderOf(file.path) === folderOf(path));
    if (seen.has(realPath) || isCopy) return undefined;
    if (totalBytes + bytes > maxRulesTotalBytes)
      return `all rules together have more than ${maxRulesTotalBytes} bytes`;
    seen.add(realPath);
    totalBytes += bytes;
    const left: string[] = [];
    files.push({ path, level, text, sha256, ...(includedBy !== undefined && { includedBy }), notes: left });
    for (const named of findIncludes(text)) {
      const why = await include(named, folderOf(realPath), {
        ...origin,
        chain: [...chain, realPath],
        includedBy: path,
      });
      if (why !== undefined) left.push(`@${named} was left out: ${why}.`);
    }
    return undefined;
  }

  async function include(named: string, folder: string, origin: Origin): Promise<string | undefined> {
    if (named.includes("\0")) return undefined;
    if (origin.chain.length > maxIncludeDepth) return `files include each other over ${maxIncludeDepth} deep`;
    const path = absolute(named, folder);
    const isOutside = origin.level === "project" && !isWithin(path, projectRoot);
    const isAllowed = isOutside && mayInclude !== undefined && (await isSaid(mayInclude, path));
    if (isOutside && !isAllowed) return looksLikeFile(named) ? "it is outside the project" : undefined;
    const why = await add(path, { ...origin, isAllowed });
    return why === "it is not there" && !looksLikeFile(named) ? undefined : why;
  }

  function absolute(named: string, folder: string): string {
    if (named.startsWith("~/")) return toPlainPath(`${homeFolder}/${named.slice(2)}`);
    return toPlainPath(named.startsWith("/") ? named : `${folder}/${named}`);
  }

  return {
    async addFolder(folder, level) {
      for (const name of rulesNames) {
        const path = `${folder === "/" ? "" : folder}/${name}`;
        const stat = await disk.stat(path);
        if (!stat.ok && stat.error.code === "not-found") continue;
        const why = await add(path, { level, chain: [] });
        if (why !== undefined) notes.push(`${path} was left out: ${why}.`);
      }
    },
    loaded: () => ({ files: [...files], notes: [...notes] }),
  };
}

/** Where it cannot be told it is not allowed. */
async function isSaid(may: (path: string) => boolean | Promise<boolean>, path: string): Promise<boolean> {
  try {
    return (await may(path)) === true;
  } catch {
    return false;
  }
}

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
function looksLikeFile(path: string): boolean {
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
