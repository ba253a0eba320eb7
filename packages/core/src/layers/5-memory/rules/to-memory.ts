import type { Memory } from "../../../spec/index.ts";
import { firstChars } from "../../../view/quote-foreign.ts";
import type { Statement } from "./extract-statements.ts";

const maxNameWords = 6;
const maxNameChars = 60;
const maxDescriptionChars = 120;

/** A memory that says what the user has said, in a file of its own that no other has. */
export function toMemory(
  statement: Statement,
  { session, taken, day }: { session: string; taken: ReadonlySet<string>; day: string },
): { readonly path: string; readonly content: MemoryContent } {
  const { type, text, entries } = statement;
  const words = [...significantWords(text)].slice(0, maxNameWords);
  const name = firstChars(words.join(" "), maxNameChars).trim() || type;
  const content: MemoryContent = {
    name,
    description: oneLine(text),
    type,
    body: bodyOf(statement, day),
    author: "agent",
    session,
    entries,
    trust: "trusted",
  };
  return { path: freePath(`${type}-${slugOf(name)}`, taken), content };
}

function oneLine(text: string): string {
  return text.length <= maxDescriptionChars ? text : `${firstChars(text, maxDescriptionChars - 1)}…`;
}

function bodyOf({ type, text, rule }: Statement, day: string): string {
  if (type !== "feedback" && type !== "project") return `${text}\n`;
  const why = rule === "correction" ? "The user has corrected the agent" : "The user has said so";
  const how =
    type === "feedback" ? "Do it so whenever it comes up, without being asked again." : "Take it as given.";
  return `${text}\n\n**Why:** ${why}, on ${day}.\n**How to apply:** ${how}\n`;
}

/** Letters and digits of any script, as a tree takes them. */
function slugOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, "") || "memory";
}

function freePath(slug: string, taken: ReadonlySet<string>): string {
  const lower = new Set([...taken].map((path) => path.toLowerCase()));
  for (let count = 1; ; count += 1) {
    const path = `${slug}${count === 1 ? "" : `-${count}`}.md`;
    if (!lower.has(path.toLowerCase())) return path;
  }
}

export { memoryTypes } from "../../../memory/check-memory.ts";

/** A memory's text and origin: all but where and when it was written. */
export type MemoryContent = Omit<Memory, "path" | "version" | "at">;

/** A memory that is there already. */
export type KnownMemory = Pick<Memory, "path" | "name" | "description" | "type" | "body">;

const stopWords: ReadonlySet<string> = new Set(
  "a an and are as at be been by for from has have i in is it its of on or our so that the their them then there these they this to was we were will with you your please said user".split(
    " ",
  ),
);

/** The words that carry the meaning of a text, folded. Words that turn it around are among them. */
export function significantWords(text: string): ReadonlySet<string> {
  const folded = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("’", "'");
  const words = folded.match(/[\p{L}\p{N}]+(?:['.\-_/+#][\p{L}\p{N}]+)*/gu) ?? [];
  return new Set(words.filter((word) => !stopWords.has(word)));
}

const turning: ReadonlySet<string> = new Set(
  "not no never always don't doesn't won't can't cannot without instead only except unless".split(" "),
);
/** From this part of its words on, a text is said by another. */
const sameOverlap = 0.8;

/** Whether a text says what the words say: nearly all of them, every number, and nothing turned around. */
export function saysSame(words: ReadonlySet<string>, text: string): boolean {
  const others = significantWords(text);
  const isDecisive = (word: string) => turning.has(word) || /\d/.test(word);
  if ([...words].some((word) => isDecisive(word) && !others.has(word))) return false;
  if ([...others].some((word) => turning.has(word) && !words.has(word))) return false;
  return wordOverlap(words, others) >= sameOverlap;
}

/** Which part of the words stands among the others; 0 where there are none. */
function wordOverlap(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared / words.size;
}
