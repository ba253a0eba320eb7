import { type Entry, isBlock } from "../../../spec/index.ts";

const maxPromptChars = 200;

/** The first words of a user's message; `undefined` for every other entry. */
export function promptOf(entry: Entry): string | undefined {
  if (entry.kind !== "message" || entry.message.type !== "user" || entry.message.isMeta) return undefined;
  const { content } = entry.message;
  if (typeof content === "string") return content.slice(0, maxPromptChars);
  // A large content or text is a reference to its blob.
  for (const block of Array.isArray(content) ? content : []) {
    if (isBlock(block, "text") && typeof block.text === "string") return block.text.slice(0, maxPromptChars);
  }
  return undefined;
}
