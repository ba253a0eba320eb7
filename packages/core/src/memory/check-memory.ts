import type { MemoryType } from "../spec/index.ts";

export const memoryTypes: readonly MemoryType[] = ["user", "feedback", "project", "reference"];

/** Controls, line ends, and marks that cannot be seen; the joiners that scripts and emoji need stay. */
const notOnOneLine = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

interface MemoryFields {
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly body: string;
}

/** The reasons why a text is no memory, each with what to do; none for a good one. */
export function memoryProblems({ name, description, type, body }: MemoryFields): readonly string[] {
  return [
    ...lineProblems("name", name, "what it is about, in a few words"),
    ...lineProblems("description", description, "when it matters, in one line"),
    ...(isMemoryType(type) ? [] : [`type is ${quote(type)}: make it ${memoryTypes.join(", ")}`]),
    ...(body.trim() === "" ? ["it says nothing: write what is to be remembered below the front matter"] : []),
    ...missingParts(type, body).map((part) => `it lacks **${part}:**: add a paragraph that begins so`),
  ];
}

export function isMemoryType(type: string): type is MemoryType {
  return (memoryTypes as readonly string[]).includes(type);
}

function lineProblems(field: string, value: string, say: string): readonly string[] {
  if (value.trim() === "") return [`${field} is missing: say ${say}`];
  return notOnOneLine.test(value) ? [`${field} has line ends or invisible characters: leave them out`] : [];
}

const parts = [
  ["Why", /^[ \t>*-]*\*\*Why\b[^*\n]*\*\*/im],
  ["How to apply", /^[ \t>*-]*\*\*How to apply\b[^*\n]*\*\*/im],
] as const;

/** How somebody wants to work and what was decided are of use only with their reason and their use. */
function missingParts(type: string, body: string): readonly string[] {
  if (type !== "feedback" && type !== "project") return [];
  return parts.filter(([, pattern]) => !pattern.test(body)).map(([part]) => part);
}

function quote(text: string): string {
  return text === "" ? "missing" : `“${text.slice(0, 40)}”`;
}

/** Where absolute paths of a machine begin; others, such as `/api/users`, are addresses of something else. */
const machineRoots = /^(?:\/(?:etc|usr|var|home|opt|tmp|srv|mnt|Users|root)\/|~\/)/;
const pathLike = /^(?:~?\/|\.{1,2}\/)?[\w@.+-]+(?:\/[\w@.+-]+)*\/?$/;
const extension = /\.[A-Za-z][A-Za-z0-9]{0,7}$/;
const domainLike = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;

/**
 * Paths of files that a text names, once each. Careful: what may be an address, a ratio, a package or a branch is left
 * out, so that whoever looks for files that are gone raises no false alarm.
 */
export function namedPaths(body: string): readonly string[] {
  const text = body.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, " ");
  const found = new Set<string>();
  for (const [, target = ""] of text.matchAll(/\]\(<?([^)<>\s]+)>?\)/g)) {
    const path = target.replace(/#.*$/, "");
    if (!path.includes(":") && pathLike.test(path) && extension.test(path)) found.add(path);
  }
  for (const [word] of text.matchAll(/[\w@~.+/-]+/g)) {
    const path = word.replace(/(?<=[\w/])[.,-]+$/, "");
    if (isFilePath(path)) found.add(path);
  }
  return [...found];
}

function isFilePath(path: string): boolean {
  if (!path.includes("/") || path.includes("//") || !pathLike.test(path)) return false;
  if (machineRoots.test(path)) return true;
  if (path.startsWith("/")) return false;
  if (!extension.test(path)) return false;
  const [first = "", ...rest] = path.replace(/^\.{1,2}\//, "").split("/");
  return path.startsWith(".") || first.startsWith(".") || rest.length === 0 || !domainLike.test(first);
}

/** The generated index; lines above its marker are the user's own. */
export const indexPath = "MEMORY.md";

export const quarantineFolder = "quarantine/";
const logsFolder = "logs/";

/** The kind of a file in a memory folder, by its path alone. `other` is no part of it. */
type MemoryPathKind = "memory" | "quarantined" | "index" | "log" | "other";

/**
 * Where a file system knows no case, `Quarantine/a.md` would be a file in quarantine: another spelling of a name that
 * means something is `other`.
 */
export function memoryPathKind(path: string): MemoryPathKind {
  const lower = path.toLowerCase();
  if (path === indexPath) return "index";
  if (path.startsWith(logsFolder)) return "log";
  if (!path.endsWith(".md") || lower === indexPath.toLowerCase() || lower.startsWith(logsFolder))
    return "other";
  if (path.startsWith(quarantineFolder)) return "quarantined";
  return lower.startsWith(quarantineFolder) ? "other" : "memory";
}

export function toQuarantinePath(path: string): string {
  return path.startsWith(quarantineFolder) ? path : `${quarantineFolder}${path}`;
}

export function fromQuarantinePath(path: string): string {
  return path.startsWith(quarantineFolder) ? path.slice(quarantineFolder.length) : path;
}

const maxSlugChars = 60;

/** `Deploys on Tuesday!` → `deploys-on-tuesday.md`. Letters of every script stay. */
export function toMemoryPath(name: string): string {
  const slug = [
    ...name
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-"),
  ]
    .slice(0, maxSlugChars)
    .join("")
    .replace(/^[\p{M}-]+|-+$/gu, "");
  if (slug === "" || slug === "memory") return slug === "" ? "note.md" : "memory-note.md";
  return `${slug}.md`;
}

/** `deploys-on-tuesday.md` → `Deploys on tuesday`. */
export function toMemoryName(path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, "");
  const words = base.replace(/[-_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || "Note";
}
