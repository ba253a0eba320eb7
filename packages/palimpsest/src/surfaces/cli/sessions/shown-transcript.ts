import type { EntrySummary } from "./session-summary.ts";
import type { TranscriptSummary } from "./transcript-summary.ts";

/** All that is known of a transcript once it was read. */
export interface ShownTranscript {
  readonly file: string;
  readonly bytes: number;
  readonly session: string | undefined;
  /** It stands in a data root, so that it can be repaired. */
  readonly isOwnPlace: boolean;
  readonly found: EntrySummary;
  readonly summary: TranscriptSummary;
}
