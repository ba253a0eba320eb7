export {
  type FoldingLevels,
  type FoldingNumbers,
  foldingLevels,
  foldingNumbers,
  foldingNumbersOf,
  maxFoldTokens,
} from "../settings.ts";
export { chooseFolds, isWorthABreak } from "./choose-folds.ts";
export { reasonToFoldEarly } from "./early-folds.ts";
export { type FoldSpan, findSpans } from "./find-spans.ts";
export { type FoldGround, foldGround } from "./fold-ground.ts";
export { callsIn, foldText } from "./fold-text.ts";
export { type ItemMeasure, measureView } from "./item-measure.ts";
export { type FoldsState, nextFolds } from "./next-folds.ts";
export { type PlacedFold, placeFolds } from "./place-folds.ts";
export { spanLedgers } from "./span-ledgers.ts";
export { writeFold } from "./write-fold.ts";
