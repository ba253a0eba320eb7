import { firstChars } from "@palimpsest/core/internal";
import type { ContentBlock } from "@palimpsest/core/spec";
import type { HttpReply } from "./http-get.ts";
import { simplifyHtml } from "./simplify-html.ts";

/**
 * A page that is larger is cut; one that has more or deeper elements is given as its words alone. Making Markdown takes
 * time that nobody can interrupt.
 */
const maxHtmlChars = 1_000_000;
const maxHtmlTags = 12_000;
const maxHtmlDepth = 250;

/** The API takes 5 MB of base64. */
export const maxImageBytes = 3_750_000;

export type PageContent =
  | { readonly kind: "text"; readonly text: string; readonly type: string }
  | { readonly kind: "image"; readonly block: ContentBlock; readonly type: string }
  | { readonly kind: "refused"; readonly reason: string };

/** What a model can be given of a reply, by its type. */
export async function toPageContent({ headers, bytes, isCut }: HttpReply): Promise<PageContent> {
  const [type = ""] = (headers["content-type"] ?? "text/plain").toLowerCase().split(";", 1);
  const trimmed = type.trim();
  const image = imageTypes.find((known) => known.type === trimmed);
  if (image) return imageContent(image, bytes, isCut);
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(trimmed) || !isText(trimmed)) {
    const size = isCut ? `over ${bytes.length}` : `${bytes.length}`;
    return {
      kind: "refused",
      reason: `It is ${firstChars(trimmed, 100) || "of an unknown type"}, ${size} bytes, which cannot be shown as text.`,
    };
  }
  const isHtml = trimmed === "text/html" || trimmed === "application/xhtml+xml";
  const text = decodeText(bytes, headers["content-type"] ?? "", isHtml);
  return { kind: "text", type: trimmed, text: isHtml ? await toMarkdown(text) : text };
}

const imageTypes = [
  { type: "image/png", begins: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] },
  { type: "image/gif", begins: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", begins: [0x52, 0x49, 0x46, 0x46] },
];

function imageContent(
  { type, begins }: (typeof imageTypes)[number],
  bytes: Uint8Array,
  isCut: boolean,
): PageContent {
  if (isCut || bytes.length > maxImageBytes) {
    return {
      kind: "refused",
      reason: `It is an image (${type}) of over ${Math.min(bytes.length, maxImageBytes)} bytes, which is too large.`,
    };
  }
  if (!begins.every((byte, at) => bytes[at] === byte)) {
    return { kind: "refused", reason: `It says that it is ${type}, and its bytes are not.` };
  }
  const data = Buffer.from(bytes).toString("base64");
  return {
    kind: "image",
    type,
    block: { type: "image", source: { type: "base64", media_type: type, data } },
  };
}

function isText(type: string): boolean {
  return (
    type.startsWith("text/") ||
    /[/+](?:json|xml|yaml|toml|javascript|ecmascript|typescript|x-ndjson|x-yaml|x-sh|x-javascript)$/.test(
      type,
    )
  );
}

/** By its first bytes, else by what the header says, else by what the page says; else UTF-8. */
function decodeText(bytes: Uint8Array, contentType: string, isHtml: boolean): string {
  const beginning = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  const label =
    byteOrderMark(bytes) ??
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ??
    (isHtml ? /<meta[^>]{1,200}charset\s*=\s*["']?([\w-]+)/i.exec(beginning)?.[1] : undefined) ??
    "utf-8";
  return decodeAs(label, bytes);
}

function byteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

async function toMarkdown(page: string): Promise<string> {
  const { html, title, tags, depth, text } = simplifyHtml(page, maxHtmlChars);
  const isHard = depth > maxHtmlDepth || tags > maxHtmlTags;
  const body = isHard ? text : await convert(html);
  return title === undefined ? body : `Title: ${title}\n\n${body}`;
}

/** As much of an element as is looked at here. */
interface Element {
  readonly nodeName: string;
  getAttribute(name: string): string | null;
}

function isInlineImage(node: Element): boolean {
  return node.nodeName === "IMG" && /^\s*data:/i.test(node.getAttribute("src") ?? "");
}

async function convert(html: string): Promise<string> {
  const { default: Turndown } = await import("turndown");
  const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
  turndown.addRule("inline-images", {
    filter: (node: object) => isInlineImage(node as Element),
    replacement: () => "",
  });
  return turndown.turndown(html);
}
