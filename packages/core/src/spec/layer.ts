import type { Accounting, SessionStatistics } from "./accounting.ts";
import type { Capabilities, Model, Prices, RequestPatch } from "./cache.ts";
import type { CompactionRecords, CompactRequest } from "./compaction.ts";
import type { LayerId } from "./decision.ts";
import type { EntryDraft, ForkParent } from "./entry.ts";
import type { EventBody } from "./event.ts";
import type { ForkKind, ForkOptions, ForkResult } from "./fork.ts";
import type { Clock, Ids } from "./machine.ts";
import type { ContentBlock, Usage } from "./message.ts";
import type { Result } from "./result.ts";
import type { WindowLevels } from "./session.ts";
import type { SessionSettings } from "./settings.ts";
import type { FileTree } from "./stores/file-tree.ts";
import type { BlobStore } from "./stores/log-store.ts";
import type { NotesCopies } from "./stores/store.ts";
import type { Surroundings } from "./surroundings.ts";
import type { Tool } from "./tool.ts";
import type { View } from "./view.ts";

/** When a layer may act. */
export type Moment =
  | { readonly kind: "session-start" }
  | { readonly kind: "turn-start"; readonly prompt: string }
  | { readonly kind: "tool-round"; readonly results: readonly string[] }
  | {
      readonly kind: "before-request";
      readonly trigger: "auto" | "manual" | "reactive";
      /** By hand: down to so many tokens of results. */
      readonly targetTokens?: number;
      /** By hand: a compaction is asked for, and not clearing alone. */
      readonly compact?: CompactRequest;
      /** Reactive: what the provider said of the request that it found too long. */
      readonly overflow?: Overflow;
      /** Cache edits for this request would be refused and were taken back: it is decided without them. */
      readonly withoutCacheEdits?: boolean;
    }
  | {
      readonly kind: "after-response";
      readonly usage: Usage;
      readonly appliedEdits: readonly unknown[];
      readonly stopReason: string | null;
    }
  | { readonly kind: "after-compaction" }
  | { readonly kind: "turn-end" }
  | { readonly kind: "idle" };

/** Tokens by the provider's count, as far as its words name them. */
export interface Overflow {
  readonly actualTokens?: number;
  readonly limitTokens?: number;
  /** The request was taken, and its answer was cut: the window was full. */
  readonly isAnswerCut?: boolean;
}

/** Everything `decide` may know besides the view: plain data. */
export interface Facts {
  readonly nowMs: number;
  readonly model: string;
  /** Whose requests these are. */
  readonly source: QuerySource;
  readonly capabilities: Capabilities;
  readonly prices: Prices;
  readonly settings: SessionSettings;
  readonly cache: CacheFacts;
  /** Layers whose work goes on in the background. */
  readonly runningTasks: readonly LayerId[];
  readonly statistics: SessionStatistics;
  /** The session's tools, with what is never sent. */
  readonly tools: readonly Tool[];
  /** Levels of the window in tokens. */
  readonly thresholds: WindowLevels;
  /** Fields that every request has besides. */
  readonly request: RequestPatch;
  /** How many requests are expected before the cache is cold, learned from this and earlier sessions. */
  readonly expectedRequests: number;
  /** Tokens of what stands before the messages, system and tools, as the session counts them; absent: none. */
  readonly headTokens?: number;
  /** Whether that is the provider's own count: an estimate may be too high. */
  readonly isHeadCounted?: boolean;
  /** Results of earlier compactions, for the next one; absent: there were none. */
  readonly compaction?: CompactionRecords;
  /** The requests are another program's and are passed on: nobody here knows what its agent can do. */
  readonly isRelayed?: boolean;
  /** Where the log is, a path or another address; absent where the model has a tool that gives back what it names. */
  readonly logAddress?: string;
  /** Whether the session asks models by itself: otherwise it cannot fork. */
  readonly canFork?: boolean;
}

/** The conversation with the user, or a fork of it: what would fork again stays quiet there. */
export type QuerySource = "main" | ForkKind;

/** Facts about the provider's prompt cache, known without asking it. */
export interface CacheFacts {
  /** `cold`: nothing was sent yet, the session asks another model since, or the time to live has passed. */
  readonly state: "cold" | "warm";
  /** How long the provider keeps what nobody asks for; absent where nobody knows: then an hour is assumed. */
  readonly ttlMs?: number;
  /** Since the cache was used last: by the newest request that was answered, or by a read that kept it warm. Absent before. */
  readonly idleMs?: number;
  /** The session asks another model than the one that answered last. */
  readonly isOtherModel?: boolean;
  /** The session's own markers ask for an hour: what is written costs more; absent: for five minutes. */
  readonly isLongMarked?: boolean;
}

export type Verdict<Command> =
  | { readonly verdict: "skip"; readonly reason: string }
  | {
      readonly verdict: "act";
      readonly command: Command;
      readonly run: "inline" | "background";
      readonly reason: string;
      readonly frees: number;
      readonly basis: number;
      readonly request?: RequestPatch;
    };

/** A conversation compacted by the API: a block that is carried as it is, and its cost. */
export interface NativelyCompacted {
  readonly block: ContentBlock;
  readonly usage: Usage;
}

/** Ports that `apply` may use. It never writes the log: it returns drafts. */
export interface LayerIo {
  /** Whose session it is: blobs belong to it. */
  readonly session: string;
  /** Of a fork: what stands up to that number is its parent's, and so is what is stored of it. */
  readonly parent?: Pick<ForkParent, "session" | "seq">;
  readonly emit: (event: EventBody) => void;
  /** Tokens of a block as the session counts them now: what a decision frees is the difference of two. */
  readonly tokensOf: (block: ContentBlock) => number;
  /** The current contents of the window, by category. */
  readonly accounting?: () => Accounting;
  /** A conversation of its own that begins where the session stands. */
  readonly fork: (directive: string, options: ForkOptions) => Promise<Result<ForkResult>>;
  /**
   * Asks the API to compact the session up to and including the entry with that number, all of it where none is given:
   * a request exactly like the session's next one, and what it costs is noted. Absent where nobody can be asked.
   */
  readonly compactNatively?: (
    instructions: string | undefined,
    signal: AbortSignal,
    upToSeq?: number,
  ) => Promise<Result<NativelyCompacted>>;
  /** Digest of what stands before the messages and of the first so many items of the view, as it is now. */
  readonly prefixDigest?: (items: number) => string;
  readonly model?: Model;
  readonly blobs: BlobStore;
  readonly tree: FileTree;
  /** Abilities of the program around the session; absent where there are none. */
  readonly surroundings?: () => Promise<Surroundings>;
  /** Readable copies of session notes; absent where nobody keeps any. */
  readonly notesCopies?: NotesCopies;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface Layer<Command = unknown> {
  readonly id: LayerId;
  readonly moments: readonly Moment["kind"][];
  /**
   * Work in the background that has gone on for so long no longer counts: the layer is asked again, and when it acts the
   * old work is aborted. Absent: one is waited for however long it takes.
   */
  readonly staleMs?: (facts: Facts) => number;
  /** How long the next request waits for work in the background that goes on. Pure. Absent: it does not wait. */
  readonly waitMs?: (view: View, facts: Facts) => number;
  /** Pure and synchronous: same view, moment and facts, same verdict. */
  decide(view: View, moment: Moment, facts: Facts): Verdict<Command>;
  apply(command: Command, io: LayerIo, signal: AbortSignal): Promise<Result<readonly EntryDraft[]>>;
}
