import { firstChars } from "../../../view/first-chars.ts";

/** Characters that are not seen, or turn the direction of text. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** What is longer was pasted; with more tags it is markup. */
const maxSpokenChars = 20_000;
const maxTags = 100;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const tagBegin = /<([a-z][\w:-]*)(?:\s[^<>]*)?>/i;
/** Ends with a colon and names something that others wrote: what follows was pasted. */
const pasting =
  /\b(?:logs?|output|errors?|trace|file|readme|docs?|documentation|page|article|e?mails?|messages?|issue|ticket|comments?|says?|said|wrote|reads|response|transcript|paste[ds]?|contents?|text|prompt|quote|snippet|code|diff|patch|config|rules?)\b[^:]{0,40}:$/i;

/**
 * What of a message the user says in their own voice: without code, quotes, whatever stands in tags (what was recalled,
 * attached or put there by a program) and what follows an announcement of a paste. Where in doubt it is left out.
 */
export function spokenText(text: string): string {
  const kept: string[] = [];
  const clean = firstChars(text, maxSpokenChars).replaceAll("\r\n", "\n").replaceAll(unseen, "");
  let fenced: string | null = null;
  let isBehindBlank = true;
  for (const line of withoutTags(clean).split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (fenced !== null) {
      if (mark?.startsWith(fenced)) fenced = null;
      continue;
    }
    if (mark !== undefined) {
      fenced = mark;
      continue;
    }
    const isCode: boolean = isBehindBlank && /^(?: {4}|\t)/.test(line);
    isBehindBlank = line.trim() === "" || isCode;
    if (isCode || /^\s*(?:>|\|)/.test(line)) continue;
    kept.push(line);
    if (pasting.test(line.trim())) break;
  }
  return kept.join("\n");
}

/** What stands in tags is a break. A tag that is not closed takes its line and everything behind it along. */
function withoutTags(text: string): string {
  let rest = text;
  for (let tags = 0; ; tags += 1) {
    const found = tagBegin.exec(rest);
    if (!found) return rest;
    const [whole, name = ""] = found;
    const end = rest.toLowerCase().lastIndexOf(`</${name.toLowerCase()}`);
    const close = end < found.index + whole.length ? -1 : rest.indexOf(">", end);
    if (close === -1 || tags === maxTags) return rest.slice(0, rest.lastIndexOf("\n", found.index) + 1);
    rest = `${rest.slice(0, found.index)}\n${rest.slice(close + 1)}`;
  }
}
