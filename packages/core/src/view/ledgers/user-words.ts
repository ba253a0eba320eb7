import { type ContentBlock, isBlock, type Message } from "../../spec/index.ts";

const localCommandOutput = /^\s*<(?:local-command|bash)-std(?:out|err)\b/;
const systemReminder = /^\s*<system-reminder\b/;

/** What a command printed that the user ran beside the conversation, recognised by the tag it begins with. */
export function isLocalCommandOutput(text: string): boolean {
  return localCommandOutput.test(text);
}

/** Whether a text in a message of the user's is their own, and not what a program put there. */
export function isOwnText(text: string): boolean {
  return !localCommandOutput.test(text) && !systemReminder.test(text);
}

/** What the user said in a message, word for word; `null` where it is not the user who speaks, or says nothing. */
export function userWords(message: Message): string | null {
  if (message.type !== "user" || message.isMeta || message.isCompactSummary) return null;
  const words = blocksOf(message)
    .flatMap((block) => textOf(block) ?? [])
    .filter((text) => isOwnText(text))
    .join("\n");
  return words.trim() === "" ? null : words;
}

/** The blocks of a message, a single text as one; none where its content is not at hand. */
export function blocksOf({ content }: Message): readonly ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}

/** The texts of a content, one a line: of a message or of a result. */
export function contentText(content: string | readonly ContentBlock[] | undefined): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap((block) => textOf(block) ?? []).join("\n") : "";
}

function textOf(block: ContentBlock): string | undefined {
  return isBlock(block, "text") && typeof block.text === "string" ? block.text : undefined;
}
