import { firstChars } from "../quote-foreign.ts";
import { stripInvisible } from "./fold-text.ts";

/** The tags that say whose words these are; a text that is data must not open or close one. */
const tags =
  "memory|memories|recalled|attachment|system|system-reminder|user|assistant|human|tool_result|function_results";
const delimiter = new RegExp(
  `[<\\uff1c\\ufe64\\u2039\\u27e8\\u3008](?=[\\s/\\uff0f\\\\]*(?:${tags})(?![\\p{L}\\p{N}]))`,
  "giu",
);

/** The text as data: nothing invisible in it, and no delimiter that a reader could take for the end of it. */
export function escapeDelimiters(text: string): string {
  return stripInvisible(text).replace(delimiter, "&lt;");
}

const maxAttributeChars = 200;

/** A text as the value of an attribute: one line, without quotes and tags. */
export function toAttribute(text: string): string {
  return firstChars(stripInvisible(text).replaceAll(/\s+/g, " "), maxAttributeChars)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
