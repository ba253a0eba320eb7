export { mailNumbers } from "../settings.ts";
export { checkMessage, structuredKinds } from "./check-message.ts";
export { decideAdmission, isExpired, type RetentionLimits } from "./decide-retention.ts";
export { decideRoute, type RouteContext } from "./decide-route.ts";
export {
  type Exchange,
  type ExchangeStep,
  type Exchanges,
  hasAgreedToEnd,
  nextExchanges,
  noExchanges,
  peersAsked,
} from "./exchanges.ts";
export {
  createMailLedger,
  type MailLedger,
  mailSubtype,
  sendToolName,
} from "./mail-ledger.ts";
export { formatSentLine, markOf, readMailLine, readSentLine } from "./mail-lines.ts";
export { isAgentName, isLogId, parseAddress } from "./parse-address.ts";
export { renderDropped, renderMail, renderUnread } from "./render-mail.ts";
export { settleMail } from "./settle-mail.ts";
