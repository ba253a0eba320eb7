import { isRecord } from "@palimpsest/core/internal";
import type { ContentBlock, ToolOutcome } from "@palimpsest/core/spec";

type Fields = Readonly<Record<string, unknown>>;

const shownImages = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/** A server's answer, as blocks that the API takes; what it has no block for is said in words. */
export function toOutcome(result: unknown, maxChars: number): ToolOutcome {
  const answer = isRecord(result) ? result : {};
  const blocks = limit(blocksOf(answer), maxChars);
  const isText = blocks.every(({ type }) => type === "text");
  const content = isText ? blocks.map(({ text }) => text as string).join("\n") : blocks;
  return { content, ...(answer.isError === true && { isError: true }) };
}

type ShownBlock = ContentBlock & Fields;

function blocksOf({
  content,
  structuredContent,
  _meta,
  isError: _isError,
  ...rest
}: Fields): readonly ShownBlock[] {
  const items = Array.isArray(content) ? content.filter(isRecord) : [];
  if (items.length > 0) return items.map(toBlock).filter(({ type, text }) => type !== "text" || text !== "");
  if (structuredContent !== undefined) return [textBlock(JSON.stringify(structuredContent))];
  return Object.keys(rest).length === 0 ? [] : [textBlock(JSON.stringify(rest))];
}

function toBlock(item: Fields): ShownBlock {
  const { type, text, data, mimeType, resource, uri, name, description } = item;
  switch (type) {
    case "text":
      return textBlock(typeof text === "string" ? text : "");
    case "image":
      return imageBlock(data, mimeType);
    case "audio":
      return textBlock(`[audio, ${kindOf(mimeType)}, ${sizeOf(data)}: it cannot be shown]`);
    case "resource":
      return isRecord(resource) ? resourceBlock(resource) : textBlock("[a resource without content]");
    case "resource_link": {
      const words = [name, description].filter((word) => typeof word === "string" && word !== "");
      return textBlock(
        `[link to the resource ${String(uri)}${words.length > 0 ? `: ${words.join(", ")}` : ""}]`,
      );
    }
    default:
      return textBlock(JSON.stringify(item));
  }
}

function imageBlock(data: unknown, mimeType: unknown): ShownBlock {
  const isShown = typeof mimeType === "string" && shownImages.includes(mimeType) && isBase64(data);
  if (!isShown) return textBlock(`[image, ${kindOf(mimeType)}, ${sizeOf(data)}: it cannot be shown]`);
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

function resourceBlock({ uri, mimeType, text, blob }: Fields): ShownBlock {
  const label = `resource ${String(uri)}`;
  if (typeof text === "string") return textBlock(`[${label}]\n${text}`);
  const isImage = typeof mimeType === "string" && mimeType.startsWith("image/");
  return isImage
    ? imageBlock(blob, mimeType)
    : textBlock(`[${label}, ${kindOf(mimeType)}, ${sizeOf(blob)}: it cannot be shown]`);
}

function textBlock(text: string): ShownBlock {
  return { type: "text", text };
}

/** Looks for what does not belong there: a pattern for the whole of it would need a stack as deep as an image is large. */
function isBase64(value: unknown): value is string {
  if (typeof value !== "string" || value.length % 4 !== 0) return false;
  const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
  const body = value.slice(0, value.length - padding);
  return body !== "" && !/[^A-Za-z0-9+/]/.test(body);
}

function kindOf(mimeType: unknown): string {
  return typeof mimeType === "string" ? mimeType : "of unknown type";
}

function sizeOf(data: unknown): string {
  return typeof data === "string" ? `${Math.floor((data.length * 3) / 4)} bytes` : "without content";
}

/** Text up to the cap; the block in which it is reached says so. */
function limit(blocks: readonly ShownBlock[], maxChars: number): readonly ShownBlock[] {
  let left = maxChars;
  const kept: ShownBlock[] = [];
  for (const block of blocks) {
    const chars = typeof block.text === "string" ? block.text.length : JSON.stringify(block).length;
    if (chars <= left) kept.push(block);
    else {
      const whole = typeof block.text === "string" ? block.text.slice(0, left).toWellFormed() : "";
      kept.push(
        textBlock(`${whole}\n[The result is longer than ${maxChars} characters: the rest was dropped.]`),
      );
      break;
    }
    left -= chars;
  }
  return kept;
}
