import type { LayerHooks } from "./hook.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { PermissionMode } from "./permission.ts";
import type { Result } from "./result.ts";
import type { FileStamp } from "./tool.ts";

/** Abilities that the program around a session gives its layers. Each part may be absent. */
export interface Surroundings {
  readonly hooks?: LayerHooks;
  /** Asks a model without the conversation's own prefix. */
  readonly askPlain?: (input: PlainInput, signal: AbortSignal) => Promise<Result<PlainAnswer>>;
  readonly restore?: RestorePort;
  /** A word to the person. */
  readonly show?: (text: string) => void;
}

/** Something asked of a model in one message. */
export interface PlainInput {
  /** The one message of the user's. */
  readonly text: string;
  readonly maxOutputTokens: number;
  /** The model to ask; absent: the session's own. */
  readonly model?: string;
  /** Hears how many characters have come. */
  readonly onChars: (chars: number) => void;
}

export interface PlainAnswer {
  readonly text: string;
  readonly content?: readonly ContentBlock[];
  readonly stopReason: string | null;
  readonly usage?: Usage;
  /** Its cost. */
  readonly dollars?: number;
}

/** Reads what is brought back after a compaction. */
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

/** Content to restore besides files, to-dos and the plan, which the ledgers know. */
export interface Restorable {
  /** Background agents and tasks that run, or have ended and were not read. */
  readonly tasks: readonly Notice[];
  /** Skills that were invoked, the newest first. */
  readonly skills: readonly Notice[];
  /** Late tools, the listing of agents, instructions of MCP servers. */
  readonly tools: readonly Notice[];
  /** Rules files. */
  readonly rules: readonly Notice[];
}

/** Something the model is told that nobody said: attached as data, at the end of the conversation. */
export interface Notice {
  /** Its kind: `rules`, `task`, `tools`, `skills`, `hook`, … */
  readonly subtype: string;
  readonly text: string;
}

export interface NoticeMoment {
  readonly kind: "session-start" | "turn-start" | "tool-round";
  /** The user's prompt, at the beginning of a turn: it stands behind what is attached. */
  readonly prompt?: string;
  /** Absolute paths that tools have touched since it was asked last. */
  readonly touched: readonly string[];
  /** The run's permission mode; absent: not known. */
  readonly mode?: PermissionMode;
  readonly signal: AbortSignal;
}

/** Who may have something to tell. It is asked at the beginning of a turn and after each round of tools. */
export interface NoticeSource {
  readonly name: string;
  /** Looks itself at what the model has before its eyes: nothing it gives is held back as told before. */
  readonly remembers?: boolean;
  /** Notices since the last call; each is given once. What it throws is a warning. */
  take(moment: NoticeMoment): Promise<readonly Notice[]>;
  /** Notices that still hold in a compacted view; absent: it tells by itself what is missing. */
  restore?(signal: AbortSignal): Promise<readonly Notice[]>;
}
