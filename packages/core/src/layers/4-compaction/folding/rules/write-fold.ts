import type { Ledgers } from "../../../../spec/index.ts";
import { writeSummary } from "../../../../view/scribe/index.ts";
import { estimateContent } from "../../../../view/tokens/index.ts";
import type { FoldSpan } from "./find-spans.ts";

/** Sections of a whole session's summary that say nothing about a span, and how they are named. */
const emptySection = /^## [^\n]*\nNone\.(?:\n+|$)/gm;
const nextStep = /^## 9\. [\s\S]*$/m;
const lastWork = "## 8. Current work";
const titleNumber = /^## \d+\. /gm;

/**
 * The scribe's summary of a span, from its own items and ledgers alone, within its tokens. Deterministic. What the user
 * said is no part of it: a fold has it word for word.
 */
export function writeFold(
  { items }: Pick<FoldSpan, "items">,
  ledgers: Ledgers,
  maxTokens: number,
  logAddress?: string,
): string {
  const text = writeSummary({
    items,
    ledgers: { ...ledgers, userMessages: [], intents: [] },
    budgetTokens: maxTokens,
    estimate: estimateContent,
    logAddress,
  });
  const headingEnd = text.indexOf("\n\n");
  return headingEnd === -1 ? "" : withoutEmpty(text.slice(headingEnd + 2));
}

/** A fold has a frame of its own, and asks for nothing. */
function withoutEmpty(sections: string): string {
  return sections
    .replace(nextStep, "")
    .replaceAll(emptySection, "")
    .replace(lastWork, "## How it ended")
    .replaceAll(titleNumber, "## ")
    .trim();
}
