// The names a search needs, no more: it is loaded by processes that only search. What makes and changes an index is
// imported by its own file.
export { type Collection, createCollection } from "./collection.ts";
export type { RecallChange } from "./next-contents.ts";
export {
  emptyContents,
  type KindSegment,
  noProgress,
  type RecallContents,
  type RecallDocument,
  type RecallDocumentHead,
  type RecallFile,
  type RecallProgress,
  rankingNumbers,
  recallKinds,
  type SessionProgress,
  type VectorPart,
} from "./recall-document.ts";
export {
  type CollectionSearch,
  compareIn,
  createCollectionSearch,
  createFilter,
  createTopK,
  fuseRanks,
  type RankedDocument,
  type RankingFilter,
  snippetOf,
} from "./search-collection.ts";
export { documentHead, documentKey, encodeSegment, openSegment, type Segment, textAt } from "./segment.ts";
export type { SegmentBuilder } from "./segment-builder.ts";
export { createTokenizer, type Tokenizer } from "./tokenizer.ts";
