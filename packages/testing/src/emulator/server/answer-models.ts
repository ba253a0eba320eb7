import { listChatModels, toChatModel } from "../chat/list-chat-models.ts";
import { answerFault } from "./answer-fault.ts";
import { type ApiError, apiError } from "./api-error.ts";
import { answerError, answerJson, type Exchange } from "./exchange.ts";
import { listModels } from "./list-models.ts";
import { toModelInfo } from "./to-model-info.ts";

/** `GET /v1/models` and `GET /v1/models/{id}`. */
export async function answerModels(exchange: Exchange): Promise<void> {
  const { record, emulation } = exchange;
  const fault = await emulation.script.fault(record);
  const shown = show(exchange);
  if ("error" in shown) return answerError(exchange, shown.error, "refused");
  return fault === null ? answerJson(exchange, shown.page) : answerFault(exchange, fault, shown.page);
}

function show({ route, url, emulation }: Exchange): { readonly page: object } | { readonly error: ApiError } {
  const { list, find, findAny } = emulation.models;
  const isChat = route.api === "chat";
  if (route.modelId === undefined)
    return isChat ? { page: listChatModels(list) } : listModels(list, url.searchParams);
  const found = isChat ? findAny(route.modelId) : find(route.modelId);
  if (found === undefined) return { error: apiError("not_found_error", `model: ${route.modelId}`) };
  return { page: isChat ? toChatModel(found) : toModelInfo(found) };
}
