import type { CompactionAttempt } from "./compaction.ts";
import type { Decision } from "./decision.ts";
import type { ForkKind } from "./fork.ts";
import type { Message, Usage } from "./message.ts";
import type { Settings } from "./settings.ts";

/** The version of the log's line format. A log with a newer one opens read-only. */
export type FormatVersion = 1;

/** The first four fields of every line; `seq` is the truth about order, everything else is advisory. */
export interface EntryHead {
  readonly v: FormatVersion;
  /** Strictly increasing within a log; gaps are allowed. */
  readonly seq: number;
  /** Which writer wrote it: a newer writer's lines fence off an older one's. */
  readonly epoch: number;
  readonly id: string;
  /** ISO 8601, UTC, milliseconds. */
  readonly at: string;
  /** Where in the entry the values stored as blobs belong (see `BlobRef`). */
  readonly blobs?: readonly BlobLocation[];
}

/** Stands in a line for a value over the inline limit, or names a value that the line itself carries. */
export interface BlobRef {
  readonly blob: string;
  readonly bytes: number;
  readonly lines: number;
  /** The content itself, where a session's head names it: small values and exported logs need no blob. */
  readonly text?: string;
}

/** Names one `BlobRef` in its entry by path, so that a user's own `{blob: …}` object is never mistaken for one. */
export interface BlobLocation {
  readonly path: readonly (string | number)[];
  /** `text`: the blob is the string's UTF-8. `json`: the blob is the value's JSON. */
  readonly as: "text" | "json";
}

/** Who opened a log for writing. */
export interface WriterIdentity {
  readonly pid: number;
  readonly host: string;
  readonly version: string;
}

/** The fixed beginning of every request. Blobs of what shapes the prefix: resume and forks reuse them byte for byte. */
export interface SessionHead {
  readonly model?: string;
  readonly system?: BlobRef;
  readonly tools?: BlobRef;
  /** Fields that every request has besides. */
  readonly fields?: BlobRef;
  /** The program's own settings, without those that may hold keys, run something or allow something. */
  readonly settings?: Settings;
}

/** A value of a session's head that is stored by its hash. */
export type HeadPart = "system" | "tools" | "fields" | "flags";

export interface SessionHeader extends SessionHead {
  readonly id: string;
  readonly project: string;
  readonly cwd?: string;
  readonly writer?: WriterIdentity;
  readonly context?: BlobRef;
  readonly flags?: BlobRef;
  /** A fork begins where its parent stood and copies nothing. */
  readonly parent?: ForkParent;
  /** Where an imported session came from. */
  readonly imported?: { readonly format: string; readonly file?: string };
}

/** Where a fork begins. */
export interface ForkParent {
  readonly session: string;
  readonly seq: number;
  readonly prefixDigest: string;
  /** The fork's purpose. */
  readonly kind?: ForkKind;
}

/** The session notes as an update has left them; the newest on the live chain are the session's. */
export interface NotesNote {
  readonly text: string;
  /** Id and sequence number of the last message that is in them. */
  readonly covers: string;
  readonly coversSeq: number;
  /** How many tokens the conversation had. */
  readonly tokensAt: number;
  /** The sequence number at which it had them; absent in logs of 0.1.0. */
  readonly basis?: number;
  readonly by: NotesAuthor;
}

export type NotesAuthor = "model" | "scribe";

/** A span of finished work, first and last entry included, with what shall stand in its place once it is folded. */
export interface FoldNote {
  readonly from: string;
  readonly to: string;
  /** As it will be sent. */
  readonly summary: string;
  /** How many tokens the span had, as the session counted them. */
  readonly tokens: number;
  readonly by: NotesAuthor;
}

/** The range and the result of an extraction of memories. */
export interface ExtractionNote {
  /** Sequence number of the last message it has looked at. */
  readonly coversSeq: number;
  /** Paths of the memories it has written. */
  readonly written: readonly string[];
  /** Memories not written, and why. */
  readonly skipped: readonly { readonly what: string; readonly why: string }[];
}

/** Never sent to a model. */
export type Note =
  | { readonly topic: "writer"; readonly writer: WriterIdentity }
  /** From here on requests begin with something else; what is absent stays as it was. */
  | ({ readonly topic: "head" } & SessionHead)
  | { readonly topic: "title"; readonly title: string }
  | { readonly topic: "mode"; readonly mode: string }
  | { readonly topic: "usage"; readonly usage: Usage; readonly dollars?: number }
  | ({ readonly topic: "notes" } & NotesNote)
  | ({ readonly topic: "fold" } & FoldNote)
  | ({ readonly topic: "extraction" } & ExtractionNote)
  | {
      readonly topic: "fork";
      readonly fork: string;
      readonly forkKind: string;
      readonly usage?: Usage;
      readonly dollars?: number;
    }
  /** A compaction was tried, or made ready. */
  | ({ readonly topic: "compaction" } & CompactionAttempt)
  | { readonly topic: "redacted"; readonly occurrences: number; readonly droppedBlocks: number }
  /** A line of a foreign transcript that is neither a message nor a decision, kept as it was. */
  | { readonly topic: "foreign"; readonly type: string; readonly line: unknown };

export interface SessionBody {
  readonly kind: "session";
  readonly session: SessionHeader;
}
export interface MessageBody {
  readonly kind: "message";
  readonly message: Message;
  /** Advisory link to the entry before it (imported logs): a missing one never hides others. */
  readonly parent?: string;
}
export interface DecisionBody {
  readonly kind: "decision";
  readonly decision: Decision;
}
export interface NoteBody {
  readonly kind: "note";
  readonly note: Note;
}

export type EntryBody = SessionBody | MessageBody | DecisionBody | NoteBody;
export type EntryKind = EntryBody["kind"];

/** One line of the log. */
export type Entry = EntryHead & EntryBody;
export type SessionEntry = EntryHead & SessionBody;
export type MessageEntry = EntryHead & MessageBody;
export type DecisionEntry = EntryHead & DecisionBody;
export type NoteEntry = EntryHead & NoteBody;

/** An entry from a layer or the engine; the writer gives it sequence and epoch, and id and time where absent. */
export type EntryDraft = EntryBody & { readonly id?: string; readonly at?: string };
