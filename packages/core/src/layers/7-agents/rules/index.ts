export { agentNumbers } from "../settings.ts";
export {
  chooseSummaryModel,
  decideSummaryBasis,
  type SummaryContext,
  type SummaryModelContext,
  summaryTokens,
  toAgentNotice,
  toAgentResult,
  toSpendText,
} from "./choose-summary.ts";
export { chooseTools, parseAgent, reservedAgents } from "./parse-agent.ts";
export { cleanProgress, progressDirective, toProgressQuestion, toProgressWords } from "./progress-words.ts";
export {
  decideAgentStart,
  decideTreeStop,
  forkMarker,
  hasForkMarker,
  moreCame,
  nothingSpentByAgent,
  type TreeUse,
  toForkDirective,
  tokensOfUsage,
  withAgentResponse,
} from "./tree-budget.ts";
