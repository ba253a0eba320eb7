export {
  type FoldingLevels,
  type FoldingNumbers,
  foldingLevels,
  foldingNumbers,
  foldingNumbersOf,
  maxFoldTokens,
} from "../settings.ts";
export {
  chooseFolds,
  type FoldsState,
  isWorthABreak,
  nextFolds,
  type PlacedFold,
  placeFolds,
  reasonToFoldEarly,
} from "./choose-folds.ts";
export { type FoldSpan, findSpans, spanLedgers } from "./find-spans.ts";
export { type FoldGround, foldGround, type ItemMeasure, measureView } from "./fold-ground.ts";
export { callsIn, foldText, writeFold } from "./fold-text.ts";
