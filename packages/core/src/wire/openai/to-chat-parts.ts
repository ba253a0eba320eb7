import { type ContentBlock, type DocumentBlock, type ImageBlock, isBlock } from "../../spec/index.ts";
import type { ChatMedia, ChatPart } from "./chat-types.ts";

/** The name a file has that came without one. */
export const namelessFile = "document.pdf";

/**
 * A block as a part of a message. What the protocol has no place for becomes words that say what is missing; empty text
 * and thinking become nothing.
 */
export function toChatPart(block: ContentBlock, media: ChatMedia): ChatPart | null {
  if (isBlock(block, "text")) return block.text === "" ? null : textPart(block.text);
  if (isBlock(block, "image")) return toImagePart(block, media);
  if (isBlock(block, "document")) return toDocumentPart(block, media);
  if (isThinking(block)) return null;
  const { content, text } = block as { readonly content?: unknown; readonly text?: unknown };
  const words = typeof text === "string" ? text : content;
  if (typeof words === "string" && words !== "") return textPart(words);
  return missing(`a block of the type “${block.type}”`, "chat completions have no place for it");
}

export function isThinking({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

export function textPart(text: string): ChatPart {
  return { type: "text", text };
}

function toImagePart({ source }: ImageBlock, { images }: ChatMedia): ChatPart {
  if (!images) return missing("an image", "this model takes none");
  if (source.type === "base64")
    return { type: "image_url", image_url: { url: `data:${source.media_type};base64,${source.data}` } };
  if (source.type === "url") return { type: "image_url", image_url: { url: source.url } };
  return missing("an image", "it is stored with another provider");
}

function toDocumentPart({ source, title }: DocumentBlock, { documents }: ChatMedia): ChatPart {
  const name = title === undefined ? "a document" : `the document “${title}”`;
  if (source.type === "text")
    return textPart(title === undefined ? source.data : `${title}\n\n${source.data}`);
  if (source.type === "url") return missing(`${name} at ${source.url}`, "only its address can be given");
  if (source.type === "file") return missing(name, "it is stored with another provider");
  if (source.type === "content") return missing(name, "it is made of blocks");
  if (!documents) return missing(name, "this model takes none");
  const bytes = `data:${source.media_type};base64,${source.data}`;
  return { type: "file", file: { filename: title ?? namelessFile, file_data: bytes } };
}

function missing(what: string, why: string): ChatPart {
  return textPart(`[Here was ${what}: left out, ${why}.]`);
}
