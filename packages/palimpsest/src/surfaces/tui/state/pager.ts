/** One thing in the transcript, with what became of it. */
export interface TranscriptItem {
  /** To read it back by. */
  readonly id: string;
  readonly kind: "prompt" | "answer" | "thinking" | "call" | "result" | "notice" | "decision";
  /** One line. */
  readonly title: string;
  /** As the model has it, or what stands for it. */
  readonly text: string;
  /** What hides it from the model: cleared, folded, compacted, snipped, rewound; absent where nothing does. */
  readonly hiddenBy?: string;
}

/** The transcript, open over everything else. */
export interface Pager {
  readonly items: readonly TranscriptItem[];
  readonly chosen: number;
  /** Shown with all of its text. */
  readonly opened: OpenedItem | null;
}

export interface OpenedItem {
  readonly id: string;
  /** `null` while it is read. */
  readonly text: string | null;
  readonly scroll: number;
}
