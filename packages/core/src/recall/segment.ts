import { type RecallDocumentHead, recallFields, recallKinds } from "./recall-document.ts";
import { type TextTable, textAt } from "./text-table.ts";

/**
 * An immutable index over some documents, as columns: in memory or as views on the bytes of a file, which is the same.
 * Documents have numbers from 0. Terms are sorted by their bytes.
 */
export interface Segment {
  readonly documents: number;
  readonly ats: Float64Array;
  readonly places: Float64Array;
  readonly numbers: Uint32Array;
  /** The document's session in `sessions`. */
  readonly sessionOf: Uint32Array;
  /** How many words each field has, stop words too; `recallFields.length` a document. */
  readonly lengths: Uint16Array;
  readonly kinds: Uint8Array;
  readonly ids: TextTable;
  readonly sessions: TextTable;
  readonly terms: TextTable;
  /** How many documents hold each term. */
  readonly counts: Uint32Array;
  /** Where each term's postings begin in `postings`, and the end of the last. */
  readonly postingOffsets: Uint32Array;
  readonly postings: Uint8Array;
}

export function documentHead(segment: Segment, document: number): RecallDocumentHead {
  return {
    kind: recallKinds[segment.kinds[document] as number] ?? "message",
    id: textAt(segment.ids, document),
    session: textAt(segment.sessions, segment.sessionOf[document] as number),
    atMs: segment.ats[document] as number,
    place: segment.places[document] as number,
    number: segment.numbers[document] as number,
  };
}

/** Names one state of one document: another version of a memory has another key. */
export function documentKey({ kind, session, id, number }: RecallDocumentHead): string {
  return [kind, session, id, kind === "memory" ? number : ""].join("\n");
}

export const fieldCount = recallFields.length;
