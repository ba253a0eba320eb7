import { type EntryDraft, type LayerIo, type NotesAuthor, ok, type Result } from "../../../spec/index.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { fitText } from "../rules/fit-text.ts";
import type { PrepareCommand, SpanQuestion } from "./command.ts";
import { foldDirective } from "./directive.ts";
import { readFolds } from "./read-folds.ts";
import { foldText, writeFold } from "./rules/index.ts";

type Io = Pick<LayerIo, "emit" | "fork" | "tokensOf">;

/** Summaries by position of their span; a span without one was not answered. */
interface Writing {
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
  const writing = command.by === "model" ? await byModel(spans, io, signal) : byScribe(spans);
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
function toDraft(span: SpanQuestion, summary: string, by: NotesAuthor, io: Io): readonly EntryDraft[] {
  const { from, to, summaryTokens } = span;
  const text = foldOf(span, fitText(summary, summaryTokens, createMeasure(io.tokensOf)));
  const tokens = tokensIn(span, io);
  if (io.tokensOf({ type: "text", text }) >= tokens) return [];
  return [{ kind: "note", note: { topic: "fold", from, to, summary: text, tokens, by } }];
}

/** What stands in the place of a span. */
export function foldOf(span: SpanQuestion, summary: string): string {
  return foldText(span, summary, span.ledgers.userMessages, span.logAddress);
}

function tokensIn({ items }: SpanQuestion, { tokensOf }: Pick<Io, "tokensOf">): number {
  return items.reduce((sum, { block }) => sum + tokensOf(block), 0);
}

async function byModel(spans: readonly SpanQuestion[], io: Io, signal: AbortSignal): Promise<Writing> {
  const forked = await io.fork(foldDirective(spans), { kind: "collapse", tools: [], turns: 1, signal });
  const error = forked.ok ? forked.value.end.error : forked.error;
  if (error?.code === "no-model") return byScribe(spans);
  if (!forked.ok) return { by: "model", summaries: new Map(), dollars: 0, message: forked.error.message };
  const { end, text, dollars, cache } = forked.value;
  const spent = { by: "model", dollars, cacheShare: cache.share } as const;
  const read = end.reason === "done" ? readFolds(text) : new Map<number, string>();
  const summaries = new Map([...read].map(([part, summary]) => [part - 1, summary] as const));
  const { reason, message: said } = end;
  const message = reason === "done" ? "the answer does not have them" : (said ?? `it ended with “${reason}”`);
  return { ...spent, summaries, message };
}

function byScribe(spans: readonly SpanQuestion[]): Writing {
  const written = spans.map(
    (span, index) => [index, writeFold(span, span.ledgers, span.summaryTokens, span.logAddress)] as const,
  );
  return { by: "scribe", summaries: new Map(written), dollars: 0 };
}
