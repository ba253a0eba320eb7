import { readFrontMatter } from "./read-front-matter.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

/** What every memory has, and what the program writes itself. */
const known = ["name", "description", "type", "author", "session", "entries", "trust", "confirmed"];

/** What the front matter of a memory says besides, comments too; empty where that is nothing. */
export function otherMatter(text: string): string {
  const { matter } = splitFrontMatter(text);
  const read = readFrontMatter(matter ?? "");
  if (matter === null || !read.ok) return "";
  const { document } = read.value;
  if (document.contents === null) return document.commentBefore ?? "";
  for (const key of known) document.delete(key);
  const rest = document.toString({ lineWidth: 0 }).trim();
  return rest === "{}" ? commentsOf(matter) : `${rest}\n${commentsOf(matter)}`.trim();
}

/** Those of keys that were taken away too. */
function commentsOf(matter: string): string {
  return [...matter.matchAll(/(?:^|\s)#(.*)$/gm)].map(([, comment = ""]) => comment.trim()).join("\n");
}
