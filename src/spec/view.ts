import type { ContentBlock, Usage } from "./message.ts";

export type Role = "user" | "assistant";

/**
 * One block as the model sees it: verbatim from its entry, or what a decision put in its place. Neighbouring items of
 * one role make a message. An unchanged item is the very same object, so that the prefix two requests share is known
 * without comparing their bytes.
 */
export interface ViewItem {
  readonly role: Role;
  /** The entry it stands for; for what a decision inserted, the decision's own. */
  readonly entry: string;
  readonly seq: number;
  /** Position of the block in its entry. */
  readonly index: number;
  /** The response an assistant's block belongs to, where it has an id. */
  readonly response?: string;
  readonly block: ContentBlock;
  /** The block's bytes as they are sent, rendered once. */
  readonly json: string;
  /** The decision that replaced or inserted it; absent when it is verbatim. */
  readonly decision?: string;
}

export type TokenSource = "usage" | "calibrated" | "plain";

export interface TokenCount {
  readonly tokens: number;
  /** What the number rests on. */
  readonly source: TokenSource;
}

export interface FileRecord {
  readonly path: string;
  readonly lastAction: "read" | "written" | "edited";
  readonly at: string;
  readonly seq: number;
  readonly toolUseId: string;
  readonly range?: { readonly offset: number; readonly limit: number };
  /** Written or edited after it was last read. */
  readonly changedSinceRead: boolean;
}

export interface TodoRecord {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** Deterministic records that carry intent through every compaction. */
export interface Ledgers {
  readonly userMessages: readonly { readonly entry: string; readonly seq: number; readonly text: string }[];
  readonly files: ReadonlyMap<string, FileRecord>;
  readonly commands: readonly {
    readonly toolUseId: string;
    readonly command: string;
    readonly failed: boolean;
  }[];
  readonly todos: readonly TodoRecord[];
  readonly plan?: { readonly text: string; readonly path?: string };
  readonly unresolvedErrors: readonly { readonly toolUseId: string; readonly text: string }[];
}

/** What the model sees next, as a pure function of the log. Valid until the next entry is added. */
export interface View {
  readonly items: readonly ViewItem[];
  readonly count: TokenCount;
  readonly ledgers: Ledgers;
  /** Sequence number of the newest live entry. */
  readonly head: number;
  readonly lastUsage?: Usage;
}
