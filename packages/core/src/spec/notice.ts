import type { PermissionMode } from "./permission.ts";

/** Something the model is told that nobody said: attached as data, at the end of the conversation. */
export interface Notice {
  /** What it is: `rules`, `task`, `tools`, `skills`, `hook`, … */
  readonly subtype: string;
  readonly text: string;
}

export interface NoticeMoment {
  readonly kind: "session-start" | "turn-start" | "tool-round";
  /** What the user says, at the beginning of a turn: it stands behind what is attached. */
  readonly prompt?: string;
  /** Absolute paths that tools have touched since it was asked last. */
  readonly touched: readonly string[];
  /** What the run may do; absent: not known. */
  readonly mode?: PermissionMode;
  readonly signal: AbortSignal;
}

/** Who may have something to tell. It is asked at the beginning of a turn and after each round of tools. */
export interface NoticeSource {
  readonly name: string;
  /** Looks itself at what the model has before its eyes: nothing it gives is held back as told before. */
  readonly remembers?: boolean;
  /** What is new since it was asked last; each notice is given once. What it throws is a warning. */
  take(moment: NoticeMoment): Promise<readonly Notice[]>;
  /** What still holds of what it has told, for a view that was compacted; absent: it tells by itself what is missing. */
  restore?(signal: AbortSignal): Promise<readonly Notice[]>;
}
