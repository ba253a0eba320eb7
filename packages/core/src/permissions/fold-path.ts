/** Characters that some file systems do not see in a name. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * What different spellings of one name have in common on file systems that ignore case, composition or invisible
 * characters. For saying no: two names that differ may be folded together.
 */
export function foldPath(path: string): string {
  return path.replace(unseen, "").normalize("NFC").toUpperCase().toLowerCase();
}
