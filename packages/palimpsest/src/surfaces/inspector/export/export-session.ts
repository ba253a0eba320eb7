import type { Result } from "@palimpsest/core/spec";
import type { InspectedEntry, InspectedFile, ItemText, WhatIf } from "../inspected.ts";
import { fromBeginning, type OpenedSession } from "../read/opened-session.ts";
import { readPageFile } from "../server/page-files.ts";
import { policyAbouts } from "../server/policy-abouts.ts";
import { inlinePage } from "./inline-page.ts";

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
