import type { Accounting } from "./accounting.ts";
import type { CacheJudgement } from "./cache.ts";
import type { CompactedPart, CompactRequest, ModelFailure } from "./compaction.ts";
import type { LayerId } from "./decision.ts";
import type { Entry } from "./entry.ts";
import type { ForkOptions, ForkResult, LoopEvent, RunOptions } from "./fork.ts";
import type { SessionEndReason } from "./hook.ts";
import type { Moment } from "./layer.ts";
import type { MessageInput, SdkAnswer, Usage } from "./message.ts";
import type { PreparedRequest } from "./request.ts";
import type { Notice } from "./surroundings.ts";
import type { TokenCount } from "./view.ts";

/** A layer's action, done or planned, at a moment. */
export interface LayerReport {
  readonly layer: LayerId;
  readonly moment: Moment["kind"];
  /**
   * `started`: its work goes on in the background. `dropped`: what it was decided on is no longer live. `waiting`: it
   * would change what thinking is bound to while a round of tool calls is open.
   */
  readonly outcome: "skip" | "act" | "started" | "failed" | "dropped" | "waiting";
  readonly reason: string;
  /** Tokens it frees. */
  readonly frees: number;
}

export interface CloseOptions {
  /** The reason given to the hook `SessionEnd`; `closed` when absent. */
  readonly reason?: SessionEndReason;
}

/** The layers' planned actions; nothing was changed. */
export interface Plan {
  readonly layers: readonly LayerReport[];
  readonly count: TokenCount;
}

export interface PrepareReport extends Plan {
  /** Repairs that a valid request needed, as recorded. */
  readonly repairs: readonly string[];
  /** Messages and blocks of the request. */
  readonly messages: number;
  readonly blocks: number;
  /** Blocks at the beginning that are the very ones of the request before. */
  readonly sharedBlocks: number;
  readonly prefixDigest: string;
  /** The expected cache result of the request; absent where nobody watches. */
  readonly cache?: CacheJudgement;
  /** Changes made to thinking; absent where there were none. */
  readonly thinking?: ThinkingReport;
}

export interface ThinkingReport {
  /** `drop-block`: the API is asked to drop it. `strip`: all thinking so far has left the view. */
  readonly choice?: "drop-block" | "strip";
  /** Blocks that no longer stand on the prefix they were made on. */
  readonly blocks: number;
  /** The request asks for no thinking: a round of tool calls is open in a turn that did not begin with any. */
  readonly isOff: boolean;
}

export interface PrepareOptions {
  /**
   * The Messages API has refused the request before, in these words, which name a message or a block
   * (`messages.3.content.1: …`): it is repaired, as a recorded decision, and `report.repairs` says so. Where they say
   * that all of it is too large (`request_too_large`, status 413), images and documents with half of the bytes are left
   * out, the oldest that a model has been asked with first. Nothing is repaired where the words name nothing that stands
   * there: the same request would be refused again.
   */
  readonly refused?: string;
}

export interface Prepared {
  /** Ready to send, cache breakpoints included. Frozen: later messages do not change it. */
  readonly request: PreparedRequest;
  readonly report: PrepareReport;
}

export interface UndoReport {
  /** The decision that was made dead. */
  readonly decision: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** The result of a compaction by hand. */
export interface CompactionReport {
  /** To undo it by. */
  readonly decision: string;
  /** Who wrote what stands for the past: `prefix`, `plain`, `chunked`, `notes`, `scribe`, … */
  readonly strategy: string;
  /** The part asked for; absent where all was compacted. */
  readonly part?: CompactedPart;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** As the model sees it. */
  readonly summary: string;
  readonly layers: readonly LayerReport[];
  /** Why the model that was asked first has written no summary; absent where it was not asked, or has. */
  readonly modelFailure?: ModelFailure;
}

/** The result of taking rounds out of the conversation. */
export interface SnipReport {
  /** To undo it by; absent where nothing was taken out. */
  readonly decision?: string;
  readonly rounds: number;
  readonly freedTokens: number;
  /** Ids that were named and whose rounds stay, with the reason. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** A read that keeps the newest prompt in the provider's cache. */
export interface KeepWarmReport {
  /** The prompt was still there. */
  readonly isHit: boolean;
  readonly usage: Usage;
  readonly dollars: number;
  /** Of all such reads of the session. */
  readonly spentDollars: number;
}

/** Something read back whole, or a page of it. */
export interface Recalled {
  readonly id: string;
  readonly kind: "entry" | "tool-use" | "decision" | "blob";
  readonly text: string;
  readonly offset: number;
  readonly totalChars: number;
  /** Where the next page begins; absent on the last one. */
  readonly nextOffset?: number;
}

/** One entry that a search found. */
export interface SearchHit {
  readonly entry: string;
  readonly at: string;
  readonly score: number;
  readonly snippet: string;
  /** The calls that the entry makes or answers. */
  readonly toolUseIds?: readonly string[];
}

/** Levels of the window, in tokens. */
export type WindowLevels = Readonly<
  Record<"window" | "effective" | "auto" | "warning" | "error" | "blocking", number>
>;

/** The prompt cache, as far as the session knows. */
export interface CacheUsage {
  readonly state: "warm" | "cold";
  /** What requests ask for, and why. */
  readonly lifetime: "5m" | "1h";
  readonly reason: string;
  /** Since it was used last; absent before. */
  readonly idleMs?: number;
  /** Spent on reads that kept it warm; absent where there were none. */
  readonly keepWarmDollars?: number;
}

/** How full the window is, and with what. */
export interface ContextUsage {
  readonly count: TokenCount;
  /** Levels of the window in tokens, and how far the count is. */
  readonly thresholds: WindowLevels;
  readonly percentLeft: number;
  readonly level: "fine" | "warning" | "error" | "auto" | "blocking";
  /** Tokens by category. */
  readonly accounting: Accounting;
  /** What the numbers rest on where nobody knows the model. */
  readonly assumptions: readonly Assumption[];
  /** Absent for transcripts: no session asks. */
  readonly cache?: CacheUsage;
}

/** A fact about a model that no list of its provider gives: what is gone by instead. */
export interface Assumption {
  readonly about: "window" | "longest-answer" | "prices";
  readonly model: string;
  /** Whether the catalog knows the model, and only this of it by an estimate. */
  readonly isKnownModel: boolean;
  /** Who says so. */
  readonly source: string;
  /** One line for a person. */
  readonly message: string;
  readonly fix: string;
}

/** A session: the log and what the model sees of it. Methods throw a `PalimpsestError` when they cannot do their work. */
export interface Session {
  readonly id: string;
  readonly isReadOnly: boolean;
  /** What is gone by of its model that no list gives; empty for a model that the catalog, or a setting, knows. */
  readonly assumptions: readonly Assumption[];
  add(message: MessageInput | SdkAnswer): Promise<Entry>;
  /** Runs the layers due now and makes a valid request; sends nothing. */
  prepare(options?: PrepareOptions): Promise<Prepared>;
  /** Planned actions of each layer and why; changes nothing. */
  plan(): Plan;
  /** The newest compaction unless named. */
  undo(decisionId?: string): Promise<UndoReport>;
  rewind(to: string): Promise<void>;
  /** By the id of an entry, a tool use, a decision or a blob. */
  recall(id: string, options?: { readonly offset?: number; readonly limit?: number }): Promise<Recalled>;
  /** Entries that hold the words of a query, best first, hidden or not. */
  search(query: string, options?: { readonly limit?: number }): Promise<readonly SearchHit[]>;
  /** Clears old tool results now: down to so many tokens of them where that is given. */
  clear(options?: { readonly targetTokens?: number }): Promise<readonly LayerReport[]>;
  /**
   * Compacts now: everything, from a message on (what stands before it stays, and stays cached), or up to one. Where
   * the model fails, the summary is written from the log alone. Throws where there is nothing to compact, or too little, as where the signal was aborted; then nothing has changed.
   */
  compact(request?: CompactRequest, options?: { readonly signal?: AbortSignal }): Promise<CompactionReport>;
  /** Takes out whole rounds of tools that nothing later refers to: of the entries and tool uses named, or all. */
  snip(ids?: readonly string[]): Promise<SnipReport>;
  /** Accounting by category, count, thresholds, percentLeft. */
  usage(): ContextUsage;
  /** Tokens of the request that `prepare` makes now, by the provider's own count; absent endpoints are an error. */
  countExactly(): Promise<number>;
  /** Lets the model work on a prompt until it answers without a tool call. One run at a time. */
  run(prompt: string, options?: RunOptions): AsyncIterable<LoopEvent>;
  /** Something the user says while the model works: it hears it after the round of tools it is in, or at the end. */
  queue(prompt: string): void;
  /** A second conversation that begins where this one stands and shares its cached prefix; this one stays as it is. */
  fork(directive: string, options: ForkOptions): Promise<ForkResult>;
  /** Something the model should know that nobody said: data, at the end of the conversation. */
  attach(notice: Notice): Promise<Entry>;
  entries(): AsyncIterable<Entry>;
  /** Tells the layers that nobody waits for the session just now. */
  idle(): Promise<void>;
  /**
   * Sends the newest request once more with the shortest answer there is, so that its prompt stays in the provider's
   * cache. Nothing is added to the conversation; the cost stands with the session's under `keep-warm`. Throws where
   * nothing was answered yet, the cache is cold, the conversation has changed since, a run goes on, or
   * `keepWarm.dollarsPerSession` could not bear a read that misses.
   */
  keepWarm(): Promise<KeepWarmReport>;
  /**
   * Ends what a layer does in the background, as `task-start` told of it: an extraction, a dream, notes. What it would
   * have brought is dropped; it may begin again at the layer's next moment. `false` where nothing goes on.
   */
  stopTask(layer: LayerId): Promise<boolean>;
  close(options?: CloseOptions): Promise<void>;
}
