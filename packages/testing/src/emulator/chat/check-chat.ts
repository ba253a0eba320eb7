import type { Capabilities } from "@palimpsest/core/spec";
import { checkUnicode } from "../request/check-unicode.ts";
import { isRecord } from "../request/is-record.ts";
import { type ChatViolation, chatReportInto } from "./chat-report.ts";
import { checkChatMessages } from "./check-chat-messages.ts";
import { checkChatParameters } from "./check-chat-parameters.ts";
import { checkChatToolPairs } from "./check-chat-tool-pairs.ts";
import { checkChatTools } from "./check-chat-tools.ts";

/**
 * Every rule of chat completions that a body breaks; empty for a body that is taken. Fields nobody knows are let
 * through, because servers differ in them. Linear in the body.
 */
export function checkChat(
  body: unknown,
  capabilities: Pick<Capabilities, "maxOutput">,
): readonly ChatViolation[] {
  const violations: ChatViolation[] = [];
  const report = chatReportInto(violations);
  if (!isRecord(body)) {
    report("body-object", "", "We could not parse the JSON body of your request: it is no object.");
    return violations;
  }
  checkChatParameters(body, capabilities, report);
  checkChatTools(body, report);
  checkChatMessages(body.messages, report);
  checkChatToolPairs(body.messages, report);
  checkUnicode(body, (rule, path) =>
    report(rule, path, "We could not parse the JSON body of your request: it has half a surrogate pair."),
  );
  return violations;
}
