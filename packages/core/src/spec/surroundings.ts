import type { LayerHooks } from "./hook.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { Notice } from "./notice.ts";
import type { Result } from "./result.ts";
import type { FileStamp } from "./tool.ts";

/** What the program around a session can do for its layers. Each part may be absent. */
export interface Surroundings {
  readonly hooks?: LayerHooks;
  /** Asks a model without the conversation's own prefix. */
  readonly askPlain?: (question: PlainInput, signal: AbortSignal) => Promise<Result<PlainAnswer>>;
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
  /** What it cost. */
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

/** What there is to bring back besides files, to-dos and the plan, which the ledgers know. */
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
