import type { RequestContext, RequestViolation } from "../wire.ts";
import { checkBetas } from "./check-betas.ts";
import { checkCacheControl } from "./check-cache-control.ts";
import { checkCacheEdits } from "./check-cache-edits.ts";
import { checkCompaction } from "./check-compaction.ts";
import { checkContextManagement } from "./check-context-management.ts";
import { checkImages } from "./check-images.ts";
import { checkMessages } from "./check-messages.ts";
import { checkParameters } from "./check-parameters.ts";
import { checkSystem } from "./check-system.ts";
import { checkThinkingBlocks } from "./check-thinking-blocks.ts";
import { checkThinkingConfig } from "./check-thinking-config.ts";
import { checkToolPairs } from "./check-tool-pairs.ts";
import { checkTools } from "./check-tools.ts";
import { checkUnicode } from "./check-unicode.ts";
import { isRecord } from "./is-record.ts";
import { reportInto } from "./report.ts";

/**
 * Every rule of the Messages API that a body breaks, the parameters first, then the parts in the order of the prompt.
 * Empty for a body the API takes. Stricter than the API in one thing: neighbours of one role are refused, not merged.
 * Knows nothing of the engine, so that it checks the engine instead of sharing its mistakes. Linear in the body.
 */
export function checkRequest(body: unknown, context: RequestContext): readonly RequestViolation[] {
  const violations: RequestViolation[] = [];
  const report = reportInto(violations);
  if (!isRecord(body)) {
    report("body-object", "", "Input should be a valid dictionary or object to extract fields from");
    return violations;
  }
  checkParameters(body, context, report);
  checkThinkingConfig(body, context, report);
  checkContextManagement(body, context, report);
  checkCompaction(body, context, report);
  checkBetas(body, context, report);
  checkTools(body, report);
  checkSystem(body.system, report);
  checkMessages(body.messages, report);
  checkToolPairs(body.messages, report);
  checkThinkingBlocks(body, report);
  checkImages(body.messages, context.capabilities.images, report);
  checkCacheControl(body, report);
  checkCacheEdits(body, context, report);
  checkUnicode(body, report);
  return violations;
}
