import type { RecallKind } from "../../spec/index.ts";

/** The fields of a document, in the order in which segments hold them. */
export const recallFields = ["body", "name", "description", "tags"] as const;
export type RecallField = (typeof recallFields)[number];

/** A longer text is indexed up to here. */
export const maxFieldChars = 200_000;

/** Kinds by the number that segments hold. */
export const recallKinds: readonly RecallKind[] = ["memory", "notes", "message"];

/** What an index remembers of a document besides its words: enough to read it again. */
export interface RecallDocumentHead {
  readonly kind: RecallKind;
  /** A memory's path, else the entry's id. */
  readonly id: string;
  /** "" for memories. */
  readonly session: string;
  readonly atMs: number;
  /** Where the entry stands in its log; 0 for memories. */
  readonly place: number;
  /** Of a memory, its version in the tree; of a message, its position among the session's messages, from 1. */
  readonly number: number;
}

export interface RecallDocument extends RecallDocumentHead {
  readonly fields: Readonly<Partial<Record<RecallField, string>>>;
}
