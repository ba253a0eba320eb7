import { fail, ok, type Result } from "@palimpsest/core/spec";
import type { InspectedEntry, InspectedFile, ItemText, WhatIf } from "../inspected.ts";
import { fromBeginning, type OpenedSession } from "../read/opened-session.ts";
import { policyAbouts } from "../server/run-what-if.ts";
import { readPageFile } from "../server/send-answer.ts";

export interface ExportOptions {
  readonly entry: InspectedEntry;
  readonly session: OpenedSession;
  readonly whatIfs: readonly WhatIf[];
  readonly pageFolder: string;
}

/** Texts are read in parts: what a part was read from is not kept. */
const textsAtOnce = 200;

/** One session as a page that is a file by itself, with the texts of all its items. */
export async function exportSession({
  entry,
  session,
  whatIfs,
  pageFolder,
}: ExportOptions): Promise<Result<string>> {
  const inspected = session.since(fromBeginning);
  const texts: ItemText[] = [];
  for (let from = 0; from < inspected.items.length; from += textsAtOnce) {
    const count = Math.min(textsAtOnce, inspected.items.length - from);
    const some = await session.texts(Array.from({ length: count }, (_, at) => from + at));
    if (!some.ok) return some;
    texts.push(...some.value);
  }
  const names = new Set(whatIfs.map(({ policy }) => policy));
  const content: InspectedFile = {
    entry: { ...entry, isLive: false },
    session: { ...inspected, isLive: false },
    texts,
    whatIfs,
    policies: policyAbouts().filter(({ name }) => names.has(name)),
    memories: [],
  };
  const html = await readPageFile(pageFolder, "html");
  if (!html.ok) return html;
  const script = await readPageFile(pageFolder, "script");
  if (!script.ok) return script;
  const style = await readPageFile(pageFolder, "style");
  if (!style.ok) return style;
  return inlinePage({ html: html.value, script: script.value, style: style.value, content });
}

/** The built page, and what it shows. */
interface PageParts {
  readonly html: string;
  readonly script: string;
  readonly style: string;
  /** Put into the element with the id `inspected`, as JSON. */
  readonly content: unknown;
}

/** The file asks nobody for anything: all it may use is in it. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
const scriptTag = /<script\b[^>]*\bsrc\s*=\s*["']?(?:\.\/)?app\.js\b[^>]*>\s*<\/script\s*>/i;
const styleTag = /<link\b[^>]*\bhref\s*=\s*["']?(?:\.\/)?app\.css\b[^>]*>/i;
const policyTag = /<meta\b[^>]*http-equiv\s*=\s*["']?content-security-policy\b[^>]*>/gi;

/** One page that needs nothing beside it. Nothing in its content can end the element that it stands in. */
export function inlinePage({ html, script, style, content }: PageParts): Result<string> {
  const [tag] = scriptTag.exec(html) ?? [];
  if (tag === undefined || !styleTag.test(html) || !/<head\b[^>]*>/i.test(html))
    return fail("corrupt", "The inspector's page does not load app.js and app.css as it should.", {
      fix: "Build it again with “npm run build”.",
    });
  const kind = /\btype\s*=\s*["']?module\b/i.test(tag) ? ' type="module"' : "";
  const scripts = [
    `<script type="application/json" id="inspected">${toElementJson(content)}</script>`,
    `<script${kind}>${escapeScript(script)}</script>`,
  ].join("\n");
  const page = html
    .replace(policyTag, "")
    .replace(scriptTag, "")
    .replace(styleTag, () => `<style>${escapeStyle(style)}</style>`)
    .replace(
      /<head\b[^>]*>/i,
      (head) => `${head}\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    );
  const end = page.search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i);
  return ok(end === -1 ? `${page}\n${scripts}\n` : `${page.slice(0, end)}${scripts}\n${page.slice(end)}`);
}

/** JSON in which no tag and no comment can begin. */
function toElementJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** The same program to a script's reader, and no end of the element to a page's. */
function escapeScript(script: string): string {
  return script.replace(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
}

function escapeStyle(style: string): string {
  return style.replace(/<\/(style)/gi, "<\\/$1");
}
