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

interface OpenedItem {
  readonly id: string;
  /** `null` while it is read. */
  readonly text: string | null;
  readonly scroll: number;
}

/** A person's key at the keyboard. Several characters that come at once are one key. */
export type Key = { readonly name: "text" | "paste"; readonly text: string } | { readonly name: NamedKey };

/** Keys by the names people have for them. */
export type NamedKey =
  | "enter"
  | "newline"
  | "tab"
  | "backtab"
  | "escape"
  | "backspace"
  | "delete"
  | "up"
  | "down"
  | "left"
  | "right"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "word-left"
  | "word-right"
  | "delete-word"
  | "ctrl-c"
  | "ctrl-d"
  | "ctrl-k"
  | "ctrl-l"
  | "ctrl-o"
  | "ctrl-t"
  | "ctrl-u";
