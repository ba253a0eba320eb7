import type { Decision, ToolPart } from "./decision.ts";
import type { ContentBlock, Message, Usage } from "./message.ts";

/** One element of what the model sees: an entry as it is, or what a decision put in its place. */
export type ViewItem =
  | { readonly kind: "verbatim"; readonly entry: string; readonly seq: number; readonly message: Message }
  | {
      readonly kind: "replacement";
      /** The entry whose place it takes, where there is one. */
      readonly entry?: string;
      readonly seq: number;
      readonly decision: string;
      readonly message: Message;
    };

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

/** What the model sees next, as a pure function of the log. */
export interface View {
  readonly items: readonly ViewItem[];
  readonly count: TokenCount;
  readonly ledgers: Ledgers;
  /** Sequence number of the newest live entry. */
  readonly head: number;
  readonly lastUsage?: Usage;
  /** Live decisions by id, newest last. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly cleared: readonly ToolPart[];
}

/** A block as it is sent, rendered once. */
export interface RenderedBlock {
  readonly json: string;
  readonly block: ContentBlock;
}
