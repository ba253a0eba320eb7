import { firstChars } from "@palimpsest/core/internal";
import type { ContentBlock } from "@palimpsest/core/spec";
import type { HttpReply } from "./http-get.ts";

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

/** The content of a reply for a model, by its type. */
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

/** Elements that a reader of a page does not see, with all that is inside. */
const unseen = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "iframe",
  "object",
  "svg",
  "canvas",
  "head",
]);

/** Elements that have no end, or whose end is often left out: they do not nest by themselves. */
const flat = new Set(
  "area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option".split(
    " ",
  ),
);

/** Elements inside a line. */
const inline = new Set(
  "a abbr b cite code em i kbd mark q s small span strong sub sup td th time u var".split(" "),
);

/** A longer tag loses what it says about its element. */
const maxTagChars = 4_000;

interface SimpleHtml {
  readonly html: string;
  readonly title?: string;
  readonly tags: number;
  /** How deeply elements stand in each other, at least as deep as a parser would have them. */
  readonly depth: number;
  /** The words alone. */
  readonly text: string;
}

/**
 * A page without what nobody sees, in one pass over it: parsers and converters take far longer than that for pages
 * made to be hard, and this says which they are.
 */
function simplifyHtml(page: string, maxChars: number): SimpleHtml {
  const lower = page.toLowerCase();
  const html: string[] = [];
  const text: string[] = [];
  let chars = 0;
  let tags = 0;
  let depth = 0;
  let deepest = 0;
  let title: string | undefined;
  for (let at = 0; at < page.length && chars < maxChars; ) {
    const open = page.indexOf("<", at);
    const until = open === -1 ? page.length : open;
    html.push(page.slice(at, until));
    text.push(page.slice(at, until));
    chars += until - at;
    if (open === -1) break;
    const tag = readTag(page, lower, open);
    title ??= tag.name === "head" || tag.name === "title" ? titleAt(page, lower, open) : undefined;
    at = tag.end;
    if (tag.kind === "unseen") continue;
    html.push(
      tag.end - open > maxTagChars
        ? `<${tag.kind === "close" ? "/" : ""}${tag.name}>`
        : page.slice(open, tag.end),
    );
    text.push(tag.kind === "text" ? "<" : inline.has(tag.name) ? " " : "\n");
    chars += tag.end - open;
    if (tag.kind === "text") continue;
    tags += 1;
    if (flat.has(tag.name)) continue;
    depth = Math.max(0, depth + (tag.kind === "open" ? 1 : -1));
    deepest = Math.max(deepest, depth);
  }
  return {
    html: html.join(""),
    ...(title !== undefined && { title }),
    tags,
    depth: deepest,
    text: text
      .join("")
      .replace(/[ \t\r]+/g, " ")
      .replace(/ ?\n[ \n]*/g, "\n")
      .trim(),
  };
}

interface Tag {
  readonly kind: "open" | "close" | "unseen" | "text";
  readonly name: string;
  readonly end: number;
}

function readTag(page: string, lower: string, open: number): Tag {
  if (page.startsWith("<!--", open)) return { kind: "unseen", name: "", end: endAfter(page, "-->", open) };
  const name = /^<\/?([a-z][a-z0-9-]*)/.exec(lower.slice(open, open + 40))?.[1];
  if (name === undefined) return { kind: "text", name: "", end: open + 1 };
  const end = endAfter(page, ">", open);
  if (page.charAt(open + 1) === "/") return { kind: unseen.has(name) ? "unseen" : "close", name, end };
  if (!unseen.has(name)) return { kind: "open", name, end };
  return { kind: "unseen", name, end: endAfter(page, ">", endAfter(lower, `</${name}`, end) - 1) };
}

/** Behind the next such text, or the end of the page. */
function endAfter(page: string, text: string, from: number): number {
  const found = page.indexOf(text, from);
  return found === -1 ? page.length : found + text.length;
}

function titleAt(page: string, lower: string, from: number): string | undefined {
  const open = lower.indexOf("<title", from);
  const [, title] =
    open === -1 ? [] : (/^<title[^>]{0,200}>([^<]{1,500})/i.exec(page.slice(open, open + 710)) ?? []);
  return title?.replace(/\s+/g, " ").trim();
}
