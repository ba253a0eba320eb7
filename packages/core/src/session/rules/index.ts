export { createRulesSource, type RulesSource, type RulesSourceOptions } from "./create-rules-source.ts";
export { findProjectRoot, loadRules, type RulesLocations } from "./load-rules.ts";
export {
  type LoadedRules,
  maxIncludeDepth,
  maxRulesFileBytes,
  maxRulesTotalBytes,
  type RulesFile,
  rulesNames,
} from "./rules-file.ts";
export { parseRulesHeader, type RulesHeader, toRulesNotice } from "./rules-notice.ts";
export {
  confirmRules,
  createUnconfirmedRules,
  listUnconfirmed,
  type UnconfirmedFile,
  type UnconfirmedRules,
} from "./unconfirmed-rules.ts";
