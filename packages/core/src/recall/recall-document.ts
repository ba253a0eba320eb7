import type { RecallField, RecallKind } from "../spec/index.ts";

/** The fields of a document, in the order in which segments hold them. */
export const recallFields = ["body", "name", "description", "tags"] as const satisfies readonly RecallField[];

/** A longer text is indexed up to here. */
export const maxFieldChars = 200_000;

/** Kinds by the number that segments hold. */
export const recallKinds: readonly RecallKind[] = ["memory", "notes", "message"];

export type { RecallDocument, RecallDocumentHead } from "../spec/index.ts";
