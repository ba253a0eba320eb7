import type { CompactedPart, CompactionCause, ModelFailure } from "./compaction.ts";
import type { ContentBlock, Message } from "./message.ts";

export type LayerId = string;

/** `result`: what the tool gave back. `input`: what the model sent to it. */
export interface ToolPart {
  readonly toolUseId: string;
  readonly part: "result" | "input";
}

/** Every decision says who decided, why, on what, and what it frees. */
export interface DecisionHead {
  readonly layer: LayerId;
  readonly reason: string;
  /** Tokens this takes out of the next request. */
  readonly frees: number;
  /** The sequence number it was decided on: what came later is kept. */
  readonly basis: number;
}

/**
 * Results whose text is replaced by a preview; the whole is in a blob, where one was needed and could be written. So are
 * parts of a prompt that no window could take.
 * Images and documents stay behind the preview. `null` freezes the choice "sent whole".
 */
export interface OffloadDecision extends DecisionHead {
  readonly type: "offload";
  readonly results: readonly {
    readonly toolUseId: string;
    readonly preview: string | null;
    readonly blob?: string;
    /** So many characters of the result itself stand before the preview, since the whole could not be stored. */
    readonly keptChars?: number;
    /** Its images and documents are replaced by this label. */
    readonly mediaLabel?: string;
  }[];
  /** Blocks of messages that alone exceed the window; the whole is recalled by the entry's id. */
  readonly blocks?: readonly (BlockLocation & {
    readonly preview: string;
    readonly blob?: string;
    /** The preview stands for the blocks up to this one together: those behind the first leave the view. */
    readonly lastBlock?: number;
  })[];
}

/** Results or inputs replaced by a labelled placeholder. */
export interface ClearDecision extends DecisionHead {
  readonly type: "clear";
  readonly parts: readonly (ToolPart & { readonly label: string })[];
}

/** The server clears: what the model was shown stays in the view as it is, and no longer counts. */
export interface CacheEditDecision extends DecisionHead {
  readonly type: "cache-edit";
  readonly parts: readonly ToolPart[];
  /** The server's report of its edit or, where it is asked, the block that asks for it. */
  readonly edit: unknown;
  /** Where the server is asked: behind this block, in this and every later request. Absent where it chose itself. */
  readonly behind?: BlockLocation;
}

/** Whole rounds removed, a one-line marker in their place. */
export interface SnipDecision extends DecisionHead {
  readonly type: "snip";
  readonly entries: readonly string[];
  readonly marker: string;
}

/** A span of entries, first and last included, replaced by its own short summary. */
export interface FoldDecision extends DecisionHead {
  readonly type: "fold";
  readonly from: string;
  readonly to: string;
  readonly summary: string;
}

export type CompactTrigger = "auto" | "manual" | "reactive" | "imported";

/**
 * The entries from head to tail. They stand behind the summary (`anchor` is the summary) or, as an unchanged prefix,
 * before it (`anchor` is the boundary).
 */
export interface KeptSegment {
  readonly head: string;
  readonly headSeq: number;
  readonly tail: string;
  readonly tailSeq: number;
  /** Where it begins in the view, where that says more than the numbers: all items from there on are kept, */
  readonly from?: BlockLocation;
  /** but for an older boundary's own. */
  readonly exceptSeq?: number;
  readonly anchor: "summary" | "boundary";
}

/** The boundary: everything it covers is replaced by the summary and what stands beside it. */
export interface CompactDecision extends DecisionHead {
  readonly type: "compact";
  readonly trigger: CompactTrigger;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** The summary as it is sent; absent where the boundary of an imported log has none. */
  readonly summary?: Message;
  /** Id of the last entry it covers: the one at `basis`. */
  readonly covers: string;
  /** Asked for by hand; absent where all was compacted. */
  readonly part?: CompactedPart;
  /** The part it covers and keeps all the same; absent when nothing is kept. */
  readonly kept?: KeptSegment;
  /** Restored attachments and hook results, frozen. */
  readonly attachments: readonly Message[];
  readonly discoveredTools: readonly string[];
  /** Its cause; absent where the boundary was imported. */
  readonly cause?: CompactionCause;
  /** By hand: why the model that was asked first has written no summary. */
  readonly modelFailure?: ModelFailure;
}

/** Repairs that a valid request needed, decided once before the first send. */
export interface RepairDecision extends DecisionHead {
  readonly type: "repair";
  readonly steps: readonly RepairStep[];
}

/** Names one block of an entry by its position there. */
export interface BlockLocation {
  /** Empty for what the decision itself has inserted: `block` is then the number of the step. */
  readonly entry: string;
  readonly block: number;
}

export type RepairStep =
  /** A call that has no result gets one that says so. */
  | { readonly repair: "synthetic-result"; readonly toolUseId: string; readonly text: string }
  /** A result without its call, or a second one, is sent as text; so is a second call with one id. */
  | { readonly repair: "to-text"; readonly place: BlockLocation; readonly text: string }
  | { readonly repair: "drop-block"; readonly place: BlockLocation; readonly why: string }
  | {
      readonly repair: "replace-block";
      readonly place: BlockLocation;
      readonly block: ContentBlock;
      readonly why: string;
    }
  /** A conversation begins with the user. */
  | { readonly repair: "begin-with-user"; readonly text: string }
  /** These blocks change places among themselves: they stand where they stood, in this order. */
  | { readonly repair: "order"; readonly places: readonly BlockLocation[] };

/** All thinking so far leaves the view, never a middle part of it. */
export interface StripThinkingDecision extends DecisionHead {
  readonly type: "strip-thinking";
  readonly upTo: string;
}

/** Makes one earlier decision dead. */
export interface RestoreDecision extends DecisionHead {
  readonly type: "restore";
  readonly decision: string;
  readonly decisionSeq: number;
}

/** Moves the head: only ancestors of the head are live. */
export interface RewindDecision extends DecisionHead {
  readonly type: "rewind";
  readonly to: string;
  readonly toSeq: number;
}

/**
 * A frozen, serialisable instruction to the projection. It targets entry and tool-use ids; view positions are
 * derived. Once appended it never changes: the way back is `restore`.
 */
export type Decision =
  | OffloadDecision
  | ClearDecision
  | CacheEditDecision
  | SnipDecision
  | FoldDecision
  | CompactDecision
  | RepairDecision
  | StripThinkingDecision
  | RestoreDecision
  | RewindDecision;

export type DecisionType = Decision["type"];
