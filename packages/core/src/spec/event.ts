import type { Accounting } from "./accounting.ts";
import type { CacheBreakReason, CacheJudgement } from "./cache.ts";
import type {
  CompactedPart,
  CompactionCause,
  CompactionFailure,
  CompactionRung,
  ModelFailure,
} from "./compaction.ts";
import type { CompactTrigger, DecisionType, LayerId } from "./decision.ts";
import type { HeadPart, NotesAuthor } from "./entry.ts";
import type { ForkKind, RunEndReason } from "./fork.ts";
import type { DreamAuthor } from "./memory/memory.ts";
import type { Usage } from "./message.ts";
import type { LogReport } from "./stores/log-store.ts";

/** One typed union to one sink; names are noun-verb. The terminal, the inspector and telemetry subscribe. */
export type Event = { readonly session: string; readonly at: string } & EventBody;

export type EventBody =
  /** A session was opened; the report says what its log was found to be. */
  | { readonly type: "session-open"; readonly report: LogReport; readonly readOnly: boolean }
  /** A session was closed: nothing is appended any more. */
  | { readonly type: "session-close" }
  /** Something that was set has no effect, or not the one that was wished; the message says why. */
  | { readonly type: "setting-ignored"; readonly message: string }
  /** A value that the session began with is lost or damaged; `replacedBy` says what is sent in its place. */
  | {
      readonly type: "value-lost";
      readonly part: HeadPart;
      readonly blob: string;
      readonly replacedBy: "caller" | "nothing";
      readonly message: string;
    }
  /** A request was made ready; `sharedBlocks` of its blocks are those of the request before. */
  | {
      readonly type: "request-start";
      readonly tokens: number;
      readonly blocks: number;
      readonly sharedBlocks: number;
    }
  /** A response was taken in. Where it comes in several entries, each tells what it adds. */
  | {
      readonly type: "request-end";
      readonly response?: string;
      readonly usage: Usage;
      readonly stopReason: string | null;
      readonly dollars: number;
      /** The request's result in the prompt cache; absent where nobody watches. */
      readonly cache?: CacheJudgement;
    }
  /** Impossible token counts in a response: it is logged as it came, and neither counted nor paid by. */
  | { readonly type: "usage-ignored"; readonly response?: string; readonly message: string }
  /** A request found less in the prompt cache than the one before it left there. */
  | {
      readonly type: "cache-break";
      readonly reason: CacheBreakReason;
      readonly expected: boolean;
      readonly firstBlock: number;
      readonly secondsSinceResponse: number;
      readonly dollars: number;
      readonly why: string;
    }
  /** A decision was appended to the log. */
  | {
      readonly type: "decision-record";
      readonly decision: DecisionType;
      readonly id: string;
      readonly layer: LayerId;
      readonly reason: string;
      readonly frees: number;
    }
  /** Keys of the process itself were masked before something went into the log; `names` says whose values they were. */
  | {
      readonly type: "secret-mask";
      readonly where: "result" | "attachment" | "decision" | "note";
      readonly names: readonly string[];
      /** Of a result: the call. */
      readonly toolUseId?: string;
    }
  /** A result over a limit was written to disk; a preview of it stands in the context. */
  | {
      readonly type: "result-offload";
      readonly toolUseId: string;
      readonly tool?: string;
      readonly limit: "tool" | "round" | "window";
      readonly bytes: number;
      readonly lines: number;
      readonly path?: string;
    }
  /** A part of a prompt that alone exceeds the window was stored; its beginning and end, or a label, stand in the context. */
  | {
      readonly type: "prompt-offload";
      readonly entry: string;
      readonly block: "text" | "image" | "document";
      readonly bytes: number;
      readonly lines: number;
      readonly path?: string;
    }
  /** A result over a limit was refused by the disk: `keptChars` of its `chars` characters stand in the context. */
  | {
      readonly type: "result-cut";
      readonly toolUseId: string;
      readonly tool?: string;
      readonly chars: number;
      readonly keptChars: number;
      readonly message: string;
    }
  /** Old tool results, and large inputs, gave way to labels, or results were deleted from the provider's cache. */
  | {
      readonly type: "results-clear";
      readonly trigger: "auto" | "manual";
      readonly strategy: string;
      readonly results: number;
      readonly inputs: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly tokensSaved: number;
    }
  /** A compaction has begun; `compaction-end` or `compaction-failed` follows in every case. */
  | {
      readonly type: "compaction-start";
      readonly trigger: CompactTrigger;
      readonly tokens: number;
      readonly cause: CompactionCause;
      /** The contents of the window, by category. */
      readonly accounting?: Accounting;
    }
  /** Hooks are run for a compaction. */
  | { readonly type: "hooks-start"; readonly hook: "PreCompact" | "SessionStart" | "PostCompact" }
  /** A hook has something for the person, where no run goes on that would show it. */
  | {
      readonly type: "hook-message";
      readonly hook: "SessionStart" | "SessionEnd";
      readonly level: "info" | "warning";
      readonly text: string;
    }
  /** A summary is being written: so many characters have come. */
  | { readonly type: "compaction-delta"; readonly chars: number }
  /** The conversation is too long to be summarised: its oldest rounds are left out, and it is tried again. */
  | {
      readonly type: "compaction-retry";
      readonly attempt: number;
      readonly droppedRounds: number;
      readonly remainingRounds: number;
    }
  /** A way to compact was tried and not used; the next one is. */
  | {
      readonly type: "rung-skip";
      readonly rung: CompactionRung;
      readonly reason: CompactionFailure | "refused";
      readonly message: string;
      readonly tokensAfter?: number;
      readonly threshold: number;
    }
  /** The view was compacted; usage and cache are those of the model's summary, where a model wrote one. */
  | {
      readonly type: "compaction-end";
      readonly trigger: CompactTrigger;
      readonly strategy: string;
      readonly part?: CompactedPart;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly durationMs: number;
      readonly usage?: Usage;
      readonly cacheShare?: number;
      /** By hand: why the model that was asked first has written no summary. */
      readonly modelFailure?: ModelFailure;
    }
  /** Nothing was compacted; the view is as it was. */
  | {
      readonly type: "compaction-failed";
      readonly trigger: CompactTrigger;
      readonly reason: CompactionFailure;
      readonly message: string;
    }
  /** A model has failed to compact so many times in a row that it is not asked again in this session but by hand. */
  | { readonly type: "breaker-open"; readonly failures: number }
  /** A file stands behind the boundary as it is now. */
  | {
      readonly type: "file-restored";
      readonly path: string;
      readonly tokens: number;
      readonly isCut: boolean;
    }
  /** Something was not brought behind the boundary; the reason says why. */
  | { readonly type: "file-skipped"; readonly path: string; readonly reason: string }
  /** An update of the session notes has begun. */
  | {
      readonly type: "notes-start";
      readonly by: NotesAuthor;
      readonly tokens: number;
      readonly reason: string;
    }
  /**
   * An update of the session notes has ended. `rejected`: what it wrote is too long or no notes. `stopped`: the session
   * was closed, or another update has taken its place.
   */
  | {
      readonly type: "notes-end";
      readonly by: NotesAuthor;
      readonly outcome: "written" | "unchanged" | "rejected" | "failed" | "stopped";
      readonly tokens: number;
      readonly dollars: number;
      readonly cacheShare?: number;
      readonly path?: string;
      readonly message?: string;
    }
  /** Spans of finished work have summaries that wait to be folded in. */
  | {
      readonly type: "fold-prepared";
      readonly by: NotesAuthor;
      readonly folds: number;
      readonly tokens: number;
      readonly dollars: number;
      readonly cacheShare?: number;
    }
  /**
   * Spans were folded, in one batch: the cache breaks once for all of them. `level`: the window is filling. `blocked`: it
   * was nearly full, and the request waited. `early`: it pays before it must be.
   */
  | {
      readonly type: "fold-commit";
      readonly trigger: "level" | "blocked" | "early";
      readonly folds: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly tokensSaved: number;
    }
  /** An attempt to fold came to nothing; the conversation is as it was. */
  | { readonly type: "fold-failed"; readonly by: NotesAuthor; readonly message: string }
  /** Memories were taken from what was said; `skipped` says how many were found and not written. */
  | {
      readonly type: "memory-extracted";
      readonly by: NotesAuthor;
      readonly written: readonly string[];
      readonly skipped: number;
      readonly dollars: number;
      readonly cacheShare?: number;
      /** Version of the words that a model was asked with. */
      readonly promptVersion?: number;
    }
  /** An extraction of memories failed or, where a path is named, one memory was not written. */
  | {
      readonly type: "memory-failed";
      readonly by: NotesAuthor;
      readonly message: string;
      readonly path?: string;
    }
  /** A fork or an agent has begun: a conversation of its own, from where the session stands or afresh. */
  | { readonly type: "agent-start"; readonly agent: string; readonly kind: ForkKind }
  /** A background agent's current activity, in a few words. */
  | { readonly type: "agent-update"; readonly agent: string; readonly text: string }
  /** A fork or an agent has ended, with why and what it took. */
  | {
      readonly type: "agent-end";
      readonly agent: string;
      readonly kind: ForkKind;
      readonly reason: RunEndReason;
      readonly usage: Usage;
      readonly dollars: number;
    }
  /** A dream has begun: memory is being put in order. `dream-end` follows in every case. */
  | { readonly type: "dream-start"; readonly dream: string; readonly by: DreamAuthor }
  /** A dream has come further: one more turn, with its text and calls by tool, or one more file. */
  | {
      readonly type: "dream-update";
      readonly dream: string;
      readonly state: "starting" | "updating";
      readonly turns: number;
      readonly files: readonly string[];
      readonly text?: string;
      readonly calls?: Readonly<Record<string, number>>;
    }
  /** A dream has ended; `files` were written or removed. Where it failed or was killed, a later session tries again. */
  | {
      readonly type: "dream-end";
      readonly dream: string;
      readonly by: DreamAuthor;
      readonly outcome: "completed" | "failed" | "killed";
      readonly turns: number;
      readonly files: readonly string[];
      readonly message?: string;
    }
  /** A layer could not do its work; the others went on. */
  | { readonly type: "layer-failed"; readonly layer: LayerId; readonly message: string }
  /** A layer's work has begun in the background. */
  | { readonly type: "task-start"; readonly layer: LayerId; readonly reason: string }
  /** A layer's work in the background has ended. */
  | {
      readonly type: "task-end";
      readonly layer: LayerId;
      readonly outcome: "done" | "failed" | "stopped";
    }
  /** A layer's entry was dropped: the session has gone back behind what it was decided on, or was closed. */
  | { readonly type: "draft-dropped"; readonly layer: LayerId; readonly basis: number };
