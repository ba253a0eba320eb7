import { escapeDelimiters, toAttribute } from "./delimiters.ts";

const opening = /<(?:recalled|memory)[\s>]/i;
const spans = /<(recalled|memory)[\s>][\s\S]*?(?:<\/\1>|$(?![\s\S]))/gi;

/**
 * Text that comes from memory, marked so that it is never extracted again. What would end the mark inside is escaped.
 * `from`: what it was recalled by, such as a path or a query.
 */
export function markRecalled(text: string, from: string): string {
  return `<recalled from="${toAttribute(from)}">\n${escapeDelimiters(text)}\n</recalled>`;
}

/** Whether a text has anything in it that was recalled, a rendered memory included. */
export function isRecalled(text: string): boolean {
  return opening.test(text);
}

/** The text without what was recalled; behind a mark that never ends nothing is left. */
export function withoutRecalled(text: string): string {
  return text.replace(spans, "");
}
