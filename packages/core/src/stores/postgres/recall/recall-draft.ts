import type { Tokenizer } from "../../../recall/index.ts";
import { addFrequency } from "../../../recall/postings.ts";
import { maxFieldChars, type RecallDocument, recallFields } from "../../../recall/recall-document.ts";
import type { Ids, RecallDocumentHead, RecallDraft } from "../../../spec/index.ts";
import { publishDraft } from "./publish-draft.ts";
import type { RecallRevision, RecallRows } from "./recall-rows.ts";

const maxLength = 0xffff;

/** A document without its text. */
export interface MeasuredDocument {
  readonly head: RecallDocumentHead;
  /** How many words each field has, stop words too. */
  readonly lengths: readonly number[];
  /** Numbers in the draft's vocabulary, each once. */
  readonly terms: Uint32Array;
  /** As `addFrequency` counts, by place in `terms`. */
  readonly frequencies: Uint16Array;
}

export interface RecallDraftParts extends RecallRows {
  readonly ids: Ids;
  readonly tokenizer: Tokenizer;
  readonly base: RecallRevision;
}

export function createRecallDraft(parts: RecallDraftParts): RecallDraft {
  const { tokenizer, ids, base } = parts;
  const vocabulary = new Map<string, number>();
  const documents: MeasuredDocument[] = [];
  const token = ids.next("recall");

  /** Terms that are the same in bytes are the same. */
  function termNumber(cut: string): number {
    const term = cut.toWellFormed();
    const known = vocabulary.get(term) ?? vocabulary.size;
    if (known === vocabulary.size) vocabulary.set(term, known);
    return known;
  }

  function measure({ fields, ...head }: RecallDocument): MeasuredDocument {
    const counts = new Map<number, number>();
    const lengths = recallFields.map((name, field) => {
      const { terms, length } = tokenizer.measure((fields[name] ?? "").slice(0, maxFieldChars));
      for (const term of terms) {
        const number = termNumber(term);
        counts.set(number, addFrequency(counts.get(number) ?? 0, field));
      }
      return Math.min(maxLength, length);
    });
    const terms = Uint32Array.from(counts.keys());
    return { head, lengths, terms, frequencies: Uint16Array.from(counts.values()) };
  }

  return {
    get documents() {
      return documents.length;
    },
    add(document) {
      documents.push(measure(document));
    },
    publish: (drop) => publishDraft(parts, { token, base, drop, documents, terms: [...vocabulary.keys()] }),
  };
}
