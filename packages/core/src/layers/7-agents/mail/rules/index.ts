export { mailNumbers } from "../../settings.ts";
export {
  checkMessage,
  formatSentLine,
  isAgentName,
  isLogId,
  markOf,
  parseAddress,
  readMailLine,
  readSentLine,
  structuredKinds,
} from "./check-message.ts";
export {
  decideRoute,
  type Exchange,
  type ExchangeStep,
  type Exchanges,
  hasAgreedToEnd,
  nextExchanges,
  noExchanges,
  peersAsked,
  type RouteContext,
  renderDropped,
  renderMail,
  renderUnread,
} from "./exchanges.ts";
export {
  createMailLedger,
  decideAdmission,
  isExpired,
  type MailLedger,
  mailSubtype,
  type RetentionLimits,
  sendToolName,
  settleMail,
} from "./mail-ledger.ts";
