// What a search needs, and no more: it is loaded by processes that only search. What makes and changes an index is
// imported by its own file.
export { type Collection, createCollection } from "./collection.ts";
export { fuseRanks } from "./fuse-ranks.ts";
export type { RecallChange } from "./next-contents.ts";
export { rankingNumbers } from "./ranking-numbers.ts";
export {
  emptyContents,
  type KindSegment,
  type RecallContents,
  type RecallFile,
  type VectorPart,
} from "./recall-contents.ts";
export { type RecallDocument, type RecallDocumentHead, recallKinds } from "./recall-document.ts";
export { noProgress, type RecallProgress, type SessionProgress } from "./recall-progress.ts";
export {
  type CollectionSearch,
  compareIn,
  createCollectionSearch,
  createFilter,
  type RankedDocument,
  type RankingFilter,
} from "./search-collection.ts";
export { documentHead, documentKey, type Segment } from "./segment.ts";
export type { SegmentBuilder } from "./segment-builder.ts";
export { encodeSegment, openSegment } from "./segment-bytes.ts";
export { snippetOf } from "./snippet.ts";
export { textAt } from "./text-table.ts";
export { createTokenizer, type Tokenizer } from "./tokenizer.ts";
export { createTopK } from "./top-k.ts";
