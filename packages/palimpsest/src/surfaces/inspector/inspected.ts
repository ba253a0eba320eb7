import type { Category } from "@palimpsest/core/spec";

/** The page's facts about a session in the list. */
export interface InspectedEntry {
  readonly id: string;
  readonly title: string;
  readonly project: string;
  readonly model: string;
  readonly startedAt: string;
  readonly changedAt: string;
  readonly bytes: number;
  /** A process has it open for writing. */
  readonly isLive: boolean;
}

/** How an item stands in the view. `whole` is verbatim; the others are what a decision put there. */
export type ItemState = "whole" | "cleared" | "offloaded" | "folded" | "summarised" | "restored" | "repaired";

/**
 * One block as the model saw it, once for every form in which it was seen: clearing a result ends one item and begins
 * another with the same `origin`. Its number is its place in the list of items.
 */
export interface InspectedItem {
  /** Entry and block it stands for, the same in every form. */
  readonly origin: string;
  readonly seq: number;
  readonly role: "system" | "tools" | "user" | "assistant";
  /** The type of the block: text, thinking, tool_use, tool_result, image… */
  readonly kind: string;
  /** Place in `categories`. */
  readonly category: number;
  readonly tokens: number;
  readonly state: ItemState;
  /** One line: a tool and its main argument, or the first words. */
  readonly title: string;
  /** A call and its result have the same. */
  readonly call?: string;
  /** For a fold or a summary: numbers of the items it stands for. */
  readonly covers?: readonly number[];
  /** The whole can be opened, since what is shown is not all of it. */
  readonly hasOriginal: boolean;
}

/** A request's view as what it shares with the one before: the first `keep` items stay, `add` follow. */
export interface ViewChange {
  readonly keep: number;
  readonly add: readonly number[];
}

/** One value a request, in their order: columns are small, and what a chart takes. */
export interface RequestColumns {
  /** Milliseconds since 1970. */
  readonly at: readonly number[];
  readonly seq: readonly number[];
  /** Number of the user's turn it belongs to, from 1. */
  readonly turn: readonly number[];
  /** The whole prompt as the provider counted it, or as estimated where it said nothing. */
  readonly tokens: readonly number[];
  /** Tokens of each category, in the order of `categories`: their sum is `tokens`. */
  readonly byCategory: readonly (readonly number[])[];
  readonly cacheRead: readonly number[];
  readonly cacheWrite: readonly number[];
  readonly uncached: readonly number[];
  readonly output: readonly number[];
  /** `null` where the model has no known price. */
  readonly dollars: readonly (number | null)[];
  /** Why the cache was not read as far as it could have been; `null` where it was. */
  readonly breaks: readonly (CacheBreak | null)[];
  readonly views: readonly ViewChange[];
}

export interface CacheBreak {
  /** `cold`: the time to live had passed. `announced`: a decision said so before. `unexplained`: neither. */
  readonly kind: "cold" | "announced" | "head" | "model" | "unexplained";
  /** For a person: which decision, and what it freed. */
  readonly reason: string;
  /** Tokens that had to be written again. */
  readonly tokens: number;
}

export interface SessionMark {
  /** Number of the first request that shows it. */
  readonly request: number;
  readonly seq: number;
  readonly kind:
    | "compaction"
    | "clear"
    | "fold"
    | "offload"
    | "snip"
    | "restore"
    | "rewind"
    | "model"
    | "notes"
    | "keep-warm";
  readonly text: string;
  readonly freed: number;
}

export interface InspectedWindow {
  readonly tokens: number;
  /** Name and tokens of the lines in the chart: warning, compaction, blocking. */
  readonly thresholds: readonly { readonly name: string; readonly tokens: number }[];
}

/** A session, or what was added to it: `from` says which request and item the lists begin with. */
export interface InspectedSession extends Omit<InspectedEntry, "bytes"> {
  /** Changes when what was sent before no longer holds, after a redaction say: ask from the beginning then. */
  readonly generation: number;
  readonly from: { readonly request: number; readonly item: number; readonly mark: number };
  readonly window: InspectedWindow | null;
  readonly categories: readonly Category[];
  readonly requests: RequestColumns;
  readonly items: readonly InspectedItem[];
  readonly marks: readonly SessionMark[];
  /** The parts that could not be read, for a person; empty as a rule. */
  readonly damage: readonly string[];
}

export interface ItemText {
  readonly shown: string;
  /** Its text before a decision; absent where it is whole. */
  readonly original?: string;
}

/** The same session under another policy, on its own requests. */
export interface WhatIf {
  readonly policy: string;
  readonly tokens: readonly number[];
  /** Dollars so far. */
  readonly dollars: readonly number[];
  /** Numbers of the requests that the policy made to miss the cache. */
  readonly breaks: readonly number[];
  /** In view, one recall away, refetchable, lost: parts of what later calls needed. */
  readonly survival: {
    readonly inView: number;
    readonly recall: number;
    readonly refetch: number;
    readonly lost: number;
  };
  readonly fetches: number;
  /** The basis of the numbers where they are less sure than usual, for a person. */
  readonly note?: string;
}

export interface InspectedMemory {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly trust: string;
  readonly changedAt: string;
  readonly versions: number;
}

export interface MemoryVersion {
  readonly version: number;
  readonly at: string;
  readonly by: string;
  readonly reason: string;
  readonly text: string;
}

export interface MemoryDetail {
  readonly path: string;
  readonly versions: readonly MemoryVersion[];
  /** The newest text line by line, with the version each line is from. */
  readonly blame: readonly { readonly text: string; readonly version: number }[];
}

/** The data of a page that is a file by itself: JSON in the element with the id `inspected`. */
export interface InspectedFile {
  readonly entry: InspectedEntry;
  readonly session: InspectedSession;
  /** Of every item, by its number. */
  readonly texts: readonly ItemText[];
  readonly whatIfs: readonly WhatIf[];
  /** Those that `whatIfs` has. */
  readonly policies: readonly { readonly name: string; readonly about: string }[];
  readonly memories: readonly InspectedMemory[];
}

/** Expected failures, for a person. */
export interface InspectorFailure {
  readonly message: string;
  readonly fix?: string;
}

/** The source of the page's data: a server, or the file it is in. */
export interface InspectorSource {
  /** `false` in a file: nothing will change, and there is one session. */
  readonly isLive: boolean;
  sessions(): Promise<readonly InspectedEntry[]>;
  session(id: string, from?: InspectedSession["from"]): Promise<InspectedSession>;
  texts(id: string, items: readonly number[]): Promise<readonly ItemText[]>;
  policies(): Promise<readonly { readonly name: string; readonly about: string }[]>;
  whatIf(id: string, policy: string): Promise<WhatIf>;
  memories(): Promise<readonly InspectedMemory[]>;
  memory(path: string): Promise<MemoryDetail>;
  /** Calls back when the session has grown; the answer ends it. */
  watch(id: string, onChange: () => void): () => void;
}
