import type { FoundModel } from "../emulated-models.ts";

/** A model as chat servers list it, with the window in the field that vLLM has for it. */
export function toChatModel({ model, capabilities }: FoundModel) {
  return {
    id: model.id,
    object: "model",
    created: Math.floor(Date.parse(model.createdAt ?? "1970-01-01T00:00:00Z") / 1_000),
    owned_by: "emulator",
    max_model_len: capabilities.contextWindow,
  };
}

/** All of them at once: chat servers know no pages. */
export function listChatModels(models: readonly FoundModel[]) {
  return { object: "list", data: models.map(toChatModel) };
}
