import {
  type EntryDraft,
  isBlock,
  type LayerIo,
  type NotesAuthor,
  ok,
  type Result,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { quoteForeign } from "../../../view/quote-foreign.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { fitText } from "../rules/build-boundary.ts";
import type { PrepareCommand, SpanInput } from "./command.ts";
import {
  callsIn,
  type FoldingNumbers,
  type FoldSpan,
  foldText,
  spanLedgers,
  writeFold,
} from "./rules/index.ts";

type Io = Pick<LayerIo, "emit" | "fork" | "tokensOf">;

/** Summaries by position of their span; a span without one was not answered. */
interface WrittenSummaries {
  readonly by: NotesAuthor;
  readonly summaries: ReadonlyMap<number, string>;
  readonly dollars: number;
  readonly cacheShare?: number;
  readonly message?: string;
}

/** Writes the summaries and notes them. A failure is an event and nothing more: the view has not changed. */
export async function prepareFolds(
  command: PrepareCommand,
  io: Io,
  signal: AbortSignal,
): Promise<Result<readonly EntryDraft[]>> {
  const { spans } = command;
  const writing = command.by === "model" ? await writeByModel(spans, io, signal) : writeByScribe(spans);
  if (signal.aborted) return ok([]);
  const { by, summaries, dollars, cacheShare, message } = writing;
  const drafts = spans.flatMap((span, index): readonly EntryDraft[] => {
    const summary = summaries.get(index);
    return summary === undefined ? [] : toDraft(span, summary, by, io);
  });
  const missing = spans.length - drafts.length;
  if (missing > 0) {
    const why = message ?? "they would not have been smaller than what they stand for";
    io.emit({
      type: "fold-failed",
      by,
      message: `${missing} of ${spans.length} folds were not made: ${why}`,
    });
  }
  if (drafts.length > 0) {
    const tokens = spans.reduce((sum, span) => sum + tokensIn(span, io), 0);
    const share = cacheShare === undefined ? {} : { cacheShare };
    io.emit({ type: "fold-prepared", by, folds: drafts.length, tokens, dollars, ...share });
  }
  return ok(drafts);
}

/** The note of a fold, where it is smaller than its span. */
function toDraft(span: SpanInput, summary: string, by: NotesAuthor, io: Io): readonly EntryDraft[] {
  const { from, to, summaryTokens } = span;
  const text = foldOf(span, fitText(summary, summaryTokens, createMeasure(io.tokensOf)));
  const tokens = tokensIn(span, io);
  if (io.tokensOf({ type: "text", text }) >= tokens) return [];
  return [{ kind: "note", note: { topic: "fold", from, to, summary: text, tokens, by } }];
}

/** The text in place of a span. */
export function foldOf(span: SpanInput, summary: string): string {
  return foldText(span, summary, span.ledgers, span.logAddress);
}

function tokensIn({ items }: SpanInput, { tokensOf }: Pick<Io, "tokensOf">): number {
  return items.reduce((sum, { block }) => sum + tokensOf(block), 0);
}

async function writeByModel(
  spans: readonly SpanInput[],
  io: Io,
  signal: AbortSignal,
): Promise<WrittenSummaries> {
  const forked = await io.fork(foldDirective(spans), { kind: "collapse", tools: [], turns: 1, signal });
  const error = forked.ok ? forked.value.end.error : forked.error;
  if (error?.code === "no-model") return writeByScribe(spans);
  if (!forked.ok) return { by: "model", summaries: new Map(), dollars: 0, message: forked.error.message };
  const { end, text, dollars, cache } = forked.value;
  const spent = { by: "model", dollars, cacheShare: cache.share } as const;
  const read = end.reason === "done" ? readFolds(text) : new Map<number, string>();
  const summaries = new Map([...read].map(([part, summary]) => [part - 1, summary] as const));
  const { reason, message: said } = end;
  const message = reason === "done" ? "the answer does not have them" : (said ?? `it ended with “${reason}”`);
  return { ...spent, summaries, message };
}

function writeByScribe(spans: readonly SpanInput[]): WrittenSummaries {
  const written = spans.map(
    (span, index) => [index, writeFold(span, span.ledgers, span.summaryTokens, span.logAddress)] as const,
  );
  return { by: "scribe", summaries: new Map(written), dollars: 0 };
}

const element = /<fold\s+n\s*=\s*["']?(\d+)["']?\s*>([\s\S]*?)<\/fold>/g;

/** The summaries in an answer, by the number of their part, from 1. What is not closed, empty or a second one is left out. */
export function readFolds(answer: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [, number, body = ""] of answer.matchAll(element)) {
    const summary = body.trim();
    const part = Number(number);
    if (summary !== "" && !found.has(part)) found.set(part, summary);
  }
  return found;
}

const shownCalls = 6;
const shownChars = 160;

/** The fork's instructions: which parts of the conversation above to summarise, and how. */
function foldDirective(spans: readonly SpanInput[]): string {
  const many = spans.length > 1;
  return [
    `The program that runs this conversation asks you for one thing, aside from the user's work: summarise ${many ? `${spans.length} finished parts` : "one finished part"} of it. The summaries will stand in the place of those parts. The user does not see this exchange, and the work above goes on without it. Do not go on with it here, and call no tool.`,
    spans.map(describeSpan).join("\n\n"),
    rules(spans),
  ].join("\n\n");
}

function rules(spans: readonly SpanInput[]): string {
  const mostTokens = Math.min(...spans.map(({ summaryTokens }) => summaryTokens));
  return `Answer with ${spans.length > 1 ? "one element for each part" : "one element"} and nothing else:\n\n<fold n="1">\nthe summary of part 1\n</fold>\n\nEach has ${mostTokens} tokens at most. Say what was found and what was changed, with names, paths, numbers and error texts exactly; what was decided and why; what failed and how it was mended; what is still open at the end of the part. Leave out what a later part makes worthless. Say what happened as facts, ask for nothing, and say nothing of this request.`;
}

function describeSpan(span: SpanInput, index: number): string {
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

/** Of a span's tokens, the most that its summary may have. */
const summaryShare = 0.25;

/** A span with all that its summary is written from; it stays as it is when entries are added. */
export function toInput(
  { items, from, to, tokens, rounds }: FoldSpan,
  { ledgers }: Pick<View, "ledgers">,
  { summaryTokens }: Pick<FoldingNumbers, "summaryTokens">,
  logAddress?: string,
): SpanInput {
  return {
    items,
    from,
    to,
    tokens,
    rounds,
    ledgers: spanLedgers(ledgers, items),
    summaryTokens: Math.max(1, Math.min(summaryTokens, Math.floor(tokens * summaryShare))),
    ...(logAddress !== undefined && { logAddress }),
  };
}
