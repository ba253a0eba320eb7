export {
  type Calibration,
  createCalibration,
  createUsageIncrements,
  minObservations,
  type UsageIncrement,
  type UsageIncrements,
} from "./calibration.ts";
export { type CalibrationState, maxModels, mergeCalibrationStates } from "./calibration-state.ts";
export {
  apportion,
  type CountedHead,
  type CountedItem,
  type CountedPrompt,
  countHead,
  countItems,
  countTokens,
  doubtUsage,
  type Estimator,
  headFeatures,
  mostHeadTokens,
  mostTokensPerEstimated,
  promptTokens,
  toolText,
} from "./count-tokens.ts";
export {
  estimateBlock,
  estimateContent,
  mediaTokensIn,
  padEstimate,
  plainEstimate,
  type TokenEstimate,
  unmeasuredTokens,
  unpadEstimate,
} from "./estimate.ts";
export {
  addFeatures,
  type FeatureName,
  type Features,
  featureNames,
  featuresOf,
  noFeatures,
} from "./features.ts";
export { createTokenCounter, type TokenCounter } from "./token-counter.ts";
