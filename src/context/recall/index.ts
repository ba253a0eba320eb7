export { type Collection, createCollection } from "./collection.ts";
export { fuseRanks } from "./fuse-ranks.ts";
export { mergeSegments } from "./merge-segments.ts";
export { nextContents, type RecallChange } from "./next-contents.ts";
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
export { createSegmentBuilder, type SegmentBuilder } from "./segment-builder.ts";
export { encodeSegment, openSegment } from "./segment-bytes.ts";
export { snippetOf } from "./snippet.ts";
export { textAt } from "./text-table.ts";
export { createTokenizer, type Tokenizer } from "./tokenizer.ts";
export { createTopK } from "./top-k.ts";
export { encodeVectors, openVectors } from "./vector-bytes.ts";
export { closenessTo, mergeVectors, toVectors, type Vectors, vectorKeys } from "./vectors.ts";
