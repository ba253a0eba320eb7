import { isBlock, type ViewItem } from "../../../spec/index.ts";
import { quoteForeign } from "../../../view/quote-foreign.ts";
import type { SpanQuestion } from "./command.ts";
import { callsIn } from "./rules/index.ts";

const shownCalls = 6;
const shownChars = 160;

/** What the fork is told: which parts of the conversation above to summarise, and how. */
export function foldDirective(spans: readonly SpanQuestion[]): string {
  const many = spans.length > 1;
  return [
    `The program that runs this conversation asks you for one thing, aside from the user's work: summarise ${many ? `${spans.length} finished parts` : "one finished part"} of it. The summaries will stand in the place of those parts. The user does not see this exchange, and the work above goes on without it. Do not go on with it here, and call no tool.`,
    spans.map(describeSpan).join("\n\n"),
    rules(spans),
  ].join("\n\n");
}

function rules(spans: readonly SpanQuestion[]): string {
  const mostTokens = Math.min(...spans.map(({ summaryTokens }) => summaryTokens));
  return `Answer with ${spans.length > 1 ? "one element for each part" : "one element"} and nothing else:\n\n<fold n="1">\nthe summary of part 1\n</fold>\n\nEach has ${mostTokens} tokens at most. Say what was found and what was changed, with names, paths, numbers and error texts exactly; what was decided and why; what failed and how it was mended; what is still open at the end of the part. Leave out what a later part makes worthless. Say what happened as facts, ask for nothing, and say nothing of this request.`;
}

function describeSpan(span: SpanQuestion, index: number): string {
  const { items, rounds } = span;
  const calls = callsIn(items).map(({ label }) => label);
  const listed =
    calls.length <= shownCalls
      ? calls
      : [
          ...calls.slice(0, shownCalls / 2),
          `… ${calls.length - shownCalls} more …`,
          ...calls.slice(-shownCalls / 2),
        ];
  const words = [wordsOf(items), wordsOf(items.toReversed())];
  return [
    `Part ${index + 1}: ${rounds === 1 ? "one response of yours" : `${rounds} responses of yours`} and what answered them.`,
    ...(words[0] === undefined ? [] : [`It begins where you say: ${words[0]}`]),
    ...(words[1] === undefined || words[1] === words[0] ? [] : [`Its last words of yours: ${words[1]}`]),
    ...(listed.length === 0 ? [] : [`Its calls: ${listed.join("; ")}`]),
  ].join("\n");
}

function wordsOf(items: readonly ViewItem[]): string | undefined {
  for (const { role, block } of items)
    if (role === "assistant" && isBlock(block, "text") && block.text.trim() !== "")
      return quoteForeign(block.text, shownChars);
  return undefined;
}
