export {
  chooseSummaryModel,
  decideSummaryBasis,
  type SummaryContext,
  type SummaryModelContext,
  summaryTokens,
} from "./choose-summary.ts";
export { chooseTools } from "./choose-tools.ts";
export { forkMarker, hasForkMarker, moreCame, toForkDirective } from "./fork-marker.ts";
export { parseAgent, reservedAgents } from "./parse-agent.ts";
export { cleanProgress } from "./progress-form.ts";
export { progressDirective, toProgressQuestion, toProgressWords } from "./progress-words.ts";
export { toAgentNotice, toAgentResult, toSpendText } from "./result-text.ts";
export {
  agentNumbers,
  decideAgentStart,
  decideTreeStop,
  nothingSpentByAgent,
  type TreeUse,
  tokensOfUsage,
  withAgentResponse,
} from "./tree-budget.ts";
