import { boundedText } from "../../../view/ledgers/bounded-text.ts";

/** No token stands for more: longer pieces need not be measured. */
const mostCharsPerToken = 16;

/** The text, or its beginning and end in at most so many tokens; empty where not even the words between them fit. */
export function fitText(text: string, maxTokens: number, measure: (text: string) => number): string {
  if (measure(text) <= maxTokens) return text;
  let low = 0;
  let high = Math.min(text.length, Math.max(1, maxTokens * mostCharsPerToken));
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (measure(boundedText(text, middle)) <= maxTokens) low = middle;
    else high = middle;
  }
  return low === 0 ? "" : boundedText(text, low);
}
