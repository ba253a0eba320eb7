/** The generated index; lines above its marker are the user's own. */
export const indexPath = "MEMORY.md";

export const quarantineFolder = "quarantine/";
const logsFolder = "logs/";

/** What a file of a memory folder is, by its path alone. `other` is no part of it. */
export type MemoryPathKind = "memory" | "quarantined" | "index" | "log" | "other";

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
