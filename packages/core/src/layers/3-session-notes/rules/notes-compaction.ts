import type { Facts, KeptSegment, NotesRecord, View, ViewItem } from "../../../spec/index.ts";
import { estimateContent, padEstimate } from "../../../view/tokens/index.ts";
import { notesNumbersOf } from "../settings.ts";
import { keptTail } from "./kept-tail.ts";
import { hasNotes, notesSummary } from "./notes-document.ts";
import { notesTemplateOf } from "./notes-template-of.ts";

export type NotesCompaction =
  | {
      readonly choice: "compact";
      /** The notes as they stand in for what goes; to be framed as any summary. */
      readonly summary: string;
      /** What stays behind it, word for word; absent where nothing does. */
      readonly kept?: KeptSegment;
      /** Position in the view from which on it stays. */
      readonly keptFrom: number;
      /** The next request, by the rule for views without usage. */
      readonly tokensAfter: number;
    }
  | {
      readonly choice: "refuse";
      readonly code: "off" | "no-notes" | "not-covered" | "no-room" | "too-large";
      readonly reason: string;
      readonly tokensAfter?: number;
      readonly threshold?: number;
    };

export interface NotesCompactionOptions {
  /** Estimated tokens of what will stand beside the summary: its frame, restored files, hook results. */
  readonly besideTokens?: number;
  /** What is kept beyond what the notes do not cover ends here, where that is less than was set. */
  readonly maxKeepTokens?: number;
}

/**
 * Whether the notes can stand in for the past, and what stays behind them. Pure: nothing is asked of a model. To be asked
 * when an update that goes on has ended (`Layer.waitMs`).
 */
export function decideNotesCompaction(
  view: View,
  notes: NotesRecord | undefined,
  facts: Facts,
  { besideTokens = 0, maxKeepTokens = Number.POSITIVE_INFINITY }: NotesCompactionOptions = {},
): NotesCompaction {
  const { switches } = facts.settings as { readonly switches?: { readonly notesCompaction?: boolean } };
  if (switches?.notesCompaction === false) return refuse("off", "compaction by notes is off");
  const template = notesTemplateOf(facts);
  if (!notes || !hasNotes(notes.text, template)) return refuse("no-notes", "there are no notes yet");
  const { items } = view;
  const covered = items.findLastIndex(({ entry }) => entry === notes.covers);
  if (covered === -1)
    return refuse("not-covered", "the last message that the notes cover is not in the view");
  const { boundarySeq = 0 } = view;
  const first = items.findLastIndex(({ seq }) => seq <= boundarySeq) + 1;
  const set = notesNumbersOf(facts);
  const numbers = { ...set, maxKeepTokens: Math.min(set.maxKeepTokens, maxKeepTokens) };
  const tail = keptTail({ items, first, wanted: Math.max(first, covered + 1), numbers });
  if (!tail || tail.start === 0) return refuse("no-room", "nothing could give way to the notes");
  const summary = notesSummary(notes.text, template);
  const messages = estimateContent(summary) + tail.tokens + besideTokens;
  const tokensAfter = (facts.headTokens ?? 0) + padEstimate(messages);
  const threshold = facts.thresholds.auto;
  if (tokensAfter >= threshold) {
    const reason = `the next request would have ${tokensAfter} tokens, and compaction begins at ${threshold}`;
    return { ...refuse("too-large", reason), tokensAfter, threshold };
  }
  const kept = segmentOf(items.slice(tail.start));
  return { choice: "compact", summary, ...(kept && { kept }), keptFrom: tail.start, tokensAfter };
}

type Refusal = Extract<NotesCompaction, { readonly choice: "refuse" }>;

function refuse(code: Refusal["code"], reason: string): Refusal {
  return { choice: "refuse", code, reason };
}

function segmentOf(items: readonly ViewItem[]): KeptSegment | undefined {
  const [head, tail] = [items[0], items.at(-1)];
  if (!head || !tail) return undefined;
  const headSeq = items.reduce((least, { seq }) => Math.min(least, seq), head.seq);
  const tailSeq = items.reduce((most, { seq }) => Math.max(most, seq), tail.seq);
  return { head: head.entry, headSeq, tail: tail.entry, tailSeq, anchor: "summary" };
}
