/** What a reader of a page does not see, with all that is inside. */
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

export interface SimpleHtml {
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
export function simplifyHtml(page: string, maxChars: number): SimpleHtml {
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
