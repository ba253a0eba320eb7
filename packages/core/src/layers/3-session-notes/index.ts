import type { Facts, Layer, View } from "../../spec/index.ts";
import { applySessionNotes, type NotesCommand, sessionNotesLayerId, waitForNotes } from "./apply.ts";
import { decideSessionNotes } from "./decide.ts";
import { decideNotesCompaction, notesNumbersOf, type WriteNotes } from "./rules/index.ts";

export interface SessionNotesOptions {
  /** Writes the notes where no model can be asked; absent: there are none then. */
  readonly write?: WriteNotes;
}

/**
 * Layer 3: while the agent works, notes about the session are kept up to date in the background, so that they can stand
 * in for the past at once when the window fills.
 */
export function createSessionNotesLayer({ write }: SessionNotesOptions = {}): Layer<NotesCommand> {
  return {
    id: sessionNotesLayerId,
    moments: ["tool-round", "turn-end"],
    staleMs: (facts) => notesNumbersOf(facts).staleMs,
    waitMs: waitForNotes,
    decide: (view, _moment, facts) => decideSessionNotes(view, facts, write !== undefined),
    apply: (command, io, signal) => applySessionNotes(command, io, signal, write),
  };
}

/** Whether the session's notes can stand for the past, as a compaction asks it. */
export async function compactByNotes({ view, facts, maxKeptTokens }: NotesForPast): Promise<NotesVerdict> {
  const decided = decideNotesCompaction(view, view.notes, facts, { maxKeepTokens: maxKeptTokens });
  if (decided.choice === "refuse") {
    const { reason, tokensAfter } = decided;
    return { use: false, reason, ...(tokensAfter !== undefined && { tokensAfter }) };
  }
  const { summary, kept } = decided;
  return { use: true, summary, ...(kept && { keptFromSeq: kept.headSeq }) };
}

interface NotesForPast {
  readonly view: View;
  readonly facts: Facts;
  /** There is no room for more of what is kept. */
  readonly maxKeptTokens: number;
}

type NotesVerdict =
  | { readonly use: true; readonly summary: string; readonly keptFromSeq?: number }
  | { readonly use: false; readonly reason: string; readonly tokensAfter?: number };
