import { answerFault } from "./answer-fault.ts";
import { betasOf, isBeta } from "./check-headers.ts";
import { answerJson, answerRefusal, type Exchange } from "./exchange.ts";
import { judgeRequest } from "./judge-request.ts";

/** `POST /v1/messages/count_tokens`: what a message with this body would count, by the same rule and edits. */
export async function countTokens(exchange: Exchange, json: unknown): Promise<void> {
  const { request, url, record, emulation } = exchange;
  const judged = judgeRequest(json, { emulation, betas: betasOf(request.headers), isCount: true });
  if (judged.kind === "refused") return answerRefusal(exchange, judged);
  const { body, edited } = judged;
  const { tokens } = judged.prompt;
  record.model = judged.found.model.id;
  record.promptTokens = tokens;
  record.appliedEdits = edited.applied;
  const { originalTokens } = edited;
  const isEdited = body.context_management || originalTokens !== tokens;
  const management = isEdited ? { original_input_tokens: originalTokens } : null;
  const count = {
    input_tokens: tokens,
    ...((isBeta(request.headers, url) || isEdited) && { context_management: management }),
  };
  const fault = await emulation.script.fault(record);
  return fault === null ? answerJson(exchange, count) : answerFault(exchange, fault, count);
}
