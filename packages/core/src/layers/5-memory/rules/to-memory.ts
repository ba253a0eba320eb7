import { firstChars } from "../../../view/first-chars.ts";
import type { Statement } from "./extract-statements.ts";
import type { MemoryContent } from "./memory-types.ts";
import { significantWords } from "./word-overlap.ts";

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
