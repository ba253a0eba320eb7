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
import type { Assumption } from "./session.ts";
import type { LogReport } from "./stores/log-store.ts";

/** One typed union to one sink; names are noun-verb. The terminal, the inspector and telemetry subscribe. */
export type Event = { readonly session: string; readonly at: string } & EventBody;

export type EventBody =
  /** A session was opened; the report describes the state of its log. */
  | { readonly type: "session-open"; readonly report: LogReport; readonly readOnly: boolean }
  /** A session was closed: nothing is appended any more. */
  | { readonly type: "session-close" }
  /** A setting has no effect, or another one than intended; the message says why. */
  | { readonly type: "setting-ignored"; readonly message: string }
  /** The model is not known: the message says what is gone by instead, and by whose word. */
  | {
      readonly type: "model-assumed";
      readonly about: Assumption["about"];
      readonly model: string;
      readonly isKnownModel: boolean;
      readonly source: string;
      readonly message: string;
      readonly fix: string;
    }
  /** A value from the session's beginning is lost or damaged; `replacedBy` names its replacement. */
  | {
      readonly type: "value-lost";
      readonly part: HeadPart;
      readonly blob: string;
      readonly replacedBy: "caller" | "nothing";
      readonly message: string;
    }
  /** A request is ready to send; `sharedBlocks` of its blocks equal those of the previous request. */
  | {
      readonly type: "request-start";
      readonly tokens: number;
      readonly blocks: number;
      readonly sharedBlocks: number;
    }
  /** A response was recorded. When it comes in several entries, each event has its own part. */
  | {
      readonly type: "request-end";
      readonly response?: string;
      readonly usage: Usage;
      readonly stopReason: string | null;
      readonly dollars: number;
      /** The request's result in the prompt cache; absent where nobody watches. */
      readonly cache?: CacheJudgement;
    }
  /** A response reported impossible token counts: they are logged, and not used for counts or costs. */
  | { readonly type: "usage-ignored"; readonly response?: string; readonly message: string }
  /** A request read less from the prompt cache than the previous request had stored. */
  | {
      readonly type: "cache-break";
      readonly reason: CacheBreakReason;
      readonly expected: boolean;
      readonly firstBlock: number;
      readonly secondsSinceResponse: number;
      readonly dollars: number;
      readonly why: string;
    }
  /** The lifetime that requests ask the prompt cache for, told with the first of them and whenever it changes. */
  | {
      readonly type: "cache-lifetime";
      readonly ttl: "5m" | "1h";
      readonly former?: "5m" | "1h";
      readonly reason: string;
    }
  /** The newest prompt was read again so that it stays in the cache. `isHit`: it was still there; if not, no more reads. */
  | {
      readonly type: "keep-warm";
      readonly isHit: boolean;
      readonly usage: Usage;
      readonly dollars: number;
      /** In this pause, this one counted. */
      readonly reads: number;
    }
  /** The cache is no longer kept warm, until the next request. */
  | { readonly type: "warming-end"; readonly reason: string }
  /** A decision was appended to the log. */
  | {
      readonly type: "decision-record";
      readonly decision: DecisionType;
      readonly id: string;
      readonly layer: LayerId;
      readonly reason: string;
      readonly frees: number;
    }
  /** Secrets of this process were masked before an entry was logged; `names` lists the masked variables. */
  | {
      readonly type: "secret-mask";
      readonly where: "result" | "attachment" | "decision" | "note";
      readonly names: readonly string[];
      /** Of a result: the call. */
      readonly toolUseId?: string;
    }
  /** An oversized result was written to disk; a preview stays in the context. */
  | {
      readonly type: "result-offload";
      readonly toolUseId: string;
      readonly tool?: string;
      readonly limit: "tool" | "round" | "window";
      readonly bytes: number;
      readonly lines: number;
      readonly path?: string;
    }
  /** A part of a prompt that alone exceeds the window was stored; a preview or a label stays in the context. */
  | {
      readonly type: "prompt-offload";
      readonly entry: string;
      readonly block: "text" | "image" | "document";
      readonly bytes: number;
      readonly lines: number;
      readonly path?: string;
    }
  /** An oversized result could not be written to disk: `keptChars` of its `chars` characters stay in the context. */
  | {
      readonly type: "result-cut";
      readonly toolUseId: string;
      readonly tool?: string;
      readonly chars: number;
      readonly keptChars: number;
      readonly message: string;
    }
  /** Old tool results and large inputs were replaced by short labels, or deleted from the provider's cache. */
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
  /** Hooks run for a compaction. */
  | { readonly type: "hooks-start"; readonly hook: "PreCompact" | "SessionStart" | "PostCompact" }
  /** A hook has a message for the person while no run is active to show it. */
  | {
      readonly type: "hook-message";
      readonly hook: "SessionStart" | "SessionEnd";
      readonly level: "info" | "warning";
      readonly text: string;
    }
  /** A summary is being written; `chars` characters have arrived. */
  | { readonly type: "compaction-delta"; readonly chars: number }
  /** The conversation is too long to summarise: the oldest rounds are dropped, and the summary is tried again. */
  | {
      readonly type: "compaction-retry";
      readonly attempt: number;
      readonly droppedRounds: number;
      readonly remainingRounds: number;
    }
  /** One way to compact failed or was refused; the next one is tried. */
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
  /** The compaction failed; the view is unchanged. */
  | {
      readonly type: "compaction-failed";
      readonly trigger: CompactTrigger;
      readonly reason: CompactionFailure;
      readonly message: string;
    }
  /** A model failed to compact too many times in a row: in this session it is only asked again by hand. */
  | { readonly type: "breaker-open"; readonly failures: number }
  /** A file was restored after a compaction, with its current content. */
  | {
      readonly type: "file-restored";
      readonly path: string;
      readonly tokens: number;
      readonly isCut: boolean;
    }
  /** A file, skill or other content was not restored after a compaction; the reason says why. */
  | { readonly type: "file-skipped"; readonly path: string; readonly reason: string }
  /** An update of the session notes has begun. */
  | {
      readonly type: "notes-start";
      readonly by: NotesAuthor;
      readonly tokens: number;
      readonly reason: string;
    }
  /**
   * An update of the session notes has ended. `rejected`: the text is too long or no notes. `stopped`: the session
   * was closed, or another update replaced it.
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
  /** Summaries of finished work are ready to be folded in. */
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
   * was nearly full, and the request waited. `early`: folding before it is necessary saves money.
   */
  | {
      readonly type: "fold-commit";
      readonly trigger: "level" | "blocked" | "early";
      readonly folds: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly tokensSaved: number;
    }
  /** Folding failed; the conversation is unchanged. */
  | { readonly type: "fold-failed"; readonly by: NotesAuthor; readonly message: string }
  /** Memories were extracted from the conversation; `skipped` counts those found and not written. */
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
  /** Extracting memories failed or, with a path, one memory was not written. */
  | {
      readonly type: "memory-failed";
      readonly by: NotesAuthor;
      readonly message: string;
      readonly path?: string;
    }
  /** A fork or an agent has started: a conversation of its own, from the current state or from scratch. */
  | { readonly type: "agent-start"; readonly agent: string; readonly kind: ForkKind }
  /** A background agent's current activity, in a few words. */
  | { readonly type: "agent-update"; readonly agent: string; readonly text: string }
  /** A fork or an agent has ended, with the reason and its usage. */
  | {
      readonly type: "agent-end";
      readonly agent: string;
      readonly kind: ForkKind;
      readonly reason: RunEndReason;
      readonly usage: Usage;
      readonly dollars: number;
    }
  /** A dream has started: memories are being tidied up. `dream-end` follows in every case. */
  | { readonly type: "dream-start"; readonly dream: string; readonly by: DreamAuthor }
  /** A dream has made progress: one more turn, with its text and calls by tool, or one more file. */
  | {
      readonly type: "dream-update";
      readonly dream: string;
      readonly state: "starting" | "updating";
      readonly turns: number;
      readonly files: readonly string[];
      readonly text?: string;
      readonly calls?: Readonly<Record<string, number>>;
    }
  /** A dream has ended; `files` were written or removed. If it failed or was killed, a later session tries again. */
  | {
      readonly type: "dream-end";
      readonly dream: string;
      readonly by: DreamAuthor;
      readonly outcome: "completed" | "failed" | "killed";
      readonly turns: number;
      readonly files: readonly string[];
      readonly message?: string;
    }
  /** A layer failed; the others went on. */
  | { readonly type: "layer-failed"; readonly layer: LayerId; readonly message: string }
  /** A layer's background work has started. */
  | { readonly type: "task-start"; readonly layer: LayerId; readonly reason: string }
  /** A layer's background work has ended. */
  | {
      readonly type: "task-end";
      readonly layer: LayerId;
      readonly outcome: "done" | "failed" | "stopped";
    }
  /** A layer's entry was dropped: the session was rewound or closed before it could be appended. */
  | { readonly type: "draft-dropped"; readonly layer: LayerId; readonly basis: number };
