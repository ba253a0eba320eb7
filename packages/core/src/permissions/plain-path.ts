/** Absolute, and no way of writing it differs from where it leads: no `.`, `..`, empty name or NUL. */
export function isPlainPath(path: string): boolean {
  if (!path.startsWith("/") || path.includes("\0")) return false;
  if (path === "/") return true;
  const names = path.replace(/\/$/, "").slice(1).split("/");
  return names.every((name) => name !== "" && name !== "." && name !== "..");
}

/** The path without `.`, `..` and empty names, as far as that can be told from its text. */
export function toPlainPath(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

/** Whether a path is a folder or lies in it, name by name. Both are absolute. */
export function isWithin(path: string, folder: string): boolean {
  const root = folder.replace(/\/+$/, "");
  return path.replace(/\/+$/, "") === root || path.startsWith(`${root}/`);
}

/** Characters that some file systems do not see in a name. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * The common form of all spellings of one name on file systems that ignore case, composition or invisible characters.
 * For saying no: two names that differ may be folded together.
 */
export function foldPath(path: string): string {
  return path.replace(unseen, "").normalize("NFC").toUpperCase().toLowerCase();
}
