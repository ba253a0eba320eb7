import type { Taint } from "../../spec/index.ts";
import { escapeDelimiters, toAttribute } from "./delimiters.ts";

/** Facts about files; paths are absolute and without dots. */
export interface TrustLocations {
  /** Where paths that are not absolute begin. */
  readonly cwd: string;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** Whether a file of the workspace is under version control: a regular file, no link. */
  readonly isTracked: (path: string) => boolean;
  /** Whether a file is the user's own, outside every project: rules for all of them. */
  readonly isOwn?: (path: string) => boolean;
}

const dependencyFolders: ReadonlySet<string> = new Set([
  ".cargo",
  ".gradle",
  ".m2",
  ".venv",
  ".yarn",
  "bower_components",
  "dist-packages",
  "jspm_packages",
  "node_modules",
  "pods",
  "site-packages",
  "third_party",
  "vendor",
  "venv",
]);

export type FileStanding = "trusted" | "dependency" | "ignored-file" | "outside-file";

/**
 * The trust of a file's content. Of the workspace only what is under version control is trusted, and of that not what
 * others wrote: dependencies, also where they are checked in.
 */
export function fileTrust(path: string, locations: TrustLocations): FileStanding {
  const absolute = toAbsolute(path, locations.cwd);
  if (absolute === null) return "outside-file";
  if (absolute.split("/").some((part) => dependencyFolders.has(part.toLowerCase()))) return "dependency";
  if (locations.folders.some((folder) => isBelow(absolute, folder))) {
    return locations.isTracked(absolute) ? "trusted" : "ignored-file";
  }
  return locations.isOwn?.(absolute) ? "trusted" : "outside-file";
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** `null` for what names no file here. */
function toAbsolute(path: string, cwd: string): string | null {
  if (path === "" || path.includes("\0") || path.startsWith("~")) return null;
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export type { Taint, TaintKind, TaintSource, Trust } from "../../spec/index.ts";

/** The taint of a view in which only the user has spoken. */
export const untainted: Taint = { trust: "trusted", because: [] };

const opening = /<(?:recalled|memory)[\s>]/i;
const spans = /<(recalled|memory)[\s>][\s\S]*?(?:<\/\1>|$(?![\s\S]))/gi;

/**
 * Text that comes from memory, marked so that it is never extracted again. What would end the mark inside is escaped.
 * `from`: what it was recalled by, such as a path or a query.
 */
export function markRecalled(text: string, from: string): string {
  return `<recalled from="${toAttribute(from)}">\n${escapeDelimiters(text)}\n</recalled>`;
}

/** Whether a text has anything in it that was recalled, a rendered memory included. */
export function isRecalled(text: string): boolean {
  return opening.test(text);
}

/** The text without what was recalled; behind a mark that never ends nothing is left. */
export function withoutRecalled(text: string): string {
  return text.replace(spans, "");
}
