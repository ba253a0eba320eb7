import {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  isBlock,
  type ToolResultBlock,
} from "../../spec/index.ts";

type Content = Pick<ToolResultBlock, "content">;

/** The texts of a result, a block a line. Media have none; a block of an unknown type has its JSON. */
export function resultText({ content }: Content): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.flatMap((block) => (isMedia(block) ? [] : textOf(block))).join("\n");
}

/** The images and documents of a result, which have no characters to save. */
export function resultMedia({ content }: Content): readonly ContentBlock[] {
  return content === undefined || typeof content === "string" ? [] : content.filter(isMedia);
}

/** An image, or a document that is not plain text. */
export function isMedia(block: ContentBlock): block is ImageBlock | DocumentBlock {
  if (isBlock(block, "image")) return true;
  return isBlock(block, "document") && block.source?.type !== "text";
}

function textOf(block: ContentBlock): string {
  if (isBlock(block, "text")) return block.text;
  if (isBlock(block, "document") && block.source.type === "text") return block.source.data;
  return JSON.stringify(block);
}
