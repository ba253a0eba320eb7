export { apportion } from "./apportion.ts";
export { type Calibration, createCalibration, minObservations } from "./calibration.ts";
export { type CalibrationState, maxModels, mergeCalibrationStates } from "./calibration-state.ts";
export { type CountedHead, type CountedPrompt, countHead, mostHeadTokens } from "./count-head.ts";
export { countItems, countTokens, type Estimator } from "./count-tokens.ts";
export { type CountedItem, promptTokens } from "./counted-item.ts";
export { doubtUsage, mostTokensPerEstimated } from "./doubt-usage.ts";
export {
  padEstimate,
  plainEstimate,
  type TokenEstimate,
  unmeasuredTokens,
  unpadEstimate,
} from "./estimate.ts";
export { estimateBlock, estimateContent, mediaTokensIn } from "./estimate-block.ts";
export { addFeatures, type FeatureName, type Features, featureNames, noFeatures } from "./features.ts";
export { featuresOf } from "./features-of.ts";
export { headFeatures, toolText } from "./head-features.ts";
export { createTokenCounter, type TokenCounter } from "./token-counter.ts";
export { createUsageIncrements, type UsageIncrement, type UsageIncrements } from "./usage-increments.ts";
