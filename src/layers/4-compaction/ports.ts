import type { Measure } from "../../context/compaction/measure.ts";
import type { Restorable } from "../../context/compaction/plan-restoration.ts";
import type {
  ClearDecision,
  ContentBlock,
  Facts,
  FileStamp,
  Ledgers,
  Note,
  Result,
  Usage,
  View,
  ViewItem,
} from "../../spec/index.ts";

/** What the scribe is asked for. */
export interface ScribeQuestion {
  readonly view: View;
  /** What it is to stand in the place of. */
  readonly items: readonly ViewItem[];
  /** Never more than this, by `measure`. */
  readonly maxTokens: number;
  readonly measure: Measure;
}

/** What a summary is compared with. */
export interface AppendixQuestion {
  readonly summary: string;
  readonly ledgers: Ledgers;
  /** Only what the user said behind the boundary before it. */
  readonly sinceSeq: number;
  /** Nothing from here on: it is kept word for word. */
  readonly beforeSeq: number;
  readonly maxTokens: number;
  /** Of these, what the user's messages may have. */
  readonly maxUserTokens: number;
  readonly measure: Measure;
}

export interface NotesQuestion {
  readonly view: View;
  readonly facts: Facts;
  /** Nothing from before it is kept. */
  readonly boundarySeq: number;
}

export type NotesAnswer =
  | {
      readonly use: true;
      readonly summary: string;
      /** Everything from the item with this number on is kept word for word; absent: nothing is. */
      readonly keptFromSeq?: number;
    }
  | { readonly use: false; readonly reason: string; readonly tokensAfter?: number };

/** A summary asked for without the conversation's own prefix. */
export interface PlainQuestion {
  /** The one message of the user's: a transcript, and what is asked of it. */
  readonly text: string;
  readonly maxOutputTokens: number;
  /** Hears how many characters have come. */
  readonly onChars: (chars: number) => void;
}

export interface PlainAnswer {
  readonly text: string;
  readonly content?: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage?: Usage;
}

/** Reads what is brought back. */
export interface RestorePort {
  /** A file as it is now; fails where it is gone, denied or no text. */
  readFile(
    path: string,
    signal: AbortSignal,
  ): Promise<Result<{ readonly text: string; readonly stamp?: FileStamp }>>;
  /** Files that are never brought back: to-dos, notes, memory, agent files. */
  isExcluded?(path: string): boolean;
  others?(signal: AbortSignal): Promise<Restorable>;
}

/** All that the layer is handed. Without a port its rung is left out; the scribe and the appendix are always there. */
export interface CompactionPorts {
  readonly writeSummary: (question: ScribeQuestion) => string;
  readonly missingFromSummary: (question: AppendixQuestion) => string;
  /** What micro-compaction would still clear if that kept a compaction away. Pure. */
  readonly decidePendingClear?: (view: View, facts: Facts) => ClearDecision | null;
  /** Waits for notes that are being written, and says whether they can stand for the past. */
  readonly decideNotesCompaction?: (question: NotesQuestion, signal: AbortSignal) => Promise<NotesAnswer>;
  readonly askPlain?: (question: PlainQuestion, signal: AbortSignal) => Promise<Result<PlainAnswer>>;
  readonly restore?: RestorePort;
  /** Title and mode, to be appended again: a list that reads only the end of the log finds them. */
  readonly repeatedNotes?: () => readonly Note[];
  /** A hook's word to the person. */
  readonly show?: (text: string) => void;
}
