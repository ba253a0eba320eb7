import type { FoundModel } from "../emulated-models.ts";
import { type ApiError, apiError } from "./api-error.ts";
import { toModelInfo } from "./to-model-info.ts";

const defaultLimit = 20;
const maxLimit = 1_000;

interface ModelsPage {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** One page of the models, as the query asks for it. */
export function listModels(
  models: readonly FoundModel[],
  query: URLSearchParams,
): { readonly page: ModelsPage } | { readonly error: ApiError } {
  const limit = Number(query.get("limit") ?? defaultLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    return {
      error: apiError("invalid_request_error", `limit: must be a whole number from 1 to ${maxLimit}`),
    };
  }
  const lifecycles = [...query.getAll("lifecycle"), ...query.getAll("lifecycle[]")];
  const all = lifecycles.length === 0 || lifecycles.includes("active") ? models : [];
  const afterId = query.get("after_id");
  const beforeId = query.get("before_id");
  for (const [name, id] of [
    ["after_id", afterId],
    ["before_id", beforeId],
  ] as const) {
    if (id !== null && !all.some(({ model }) => model.id === id)) {
      return { error: apiError("invalid_request_error", `${name}: there is no model with the id ${id}`) };
    }
  }
  const begin = afterId === null ? 0 : all.findIndex(({ model }) => model.id === afterId) + 1;
  const end = beforeId === null ? all.length : all.findIndex(({ model }) => model.id === beforeId);
  const rest = all.slice(begin, end);
  const shown = beforeId === null ? rest.slice(0, limit) : rest.slice(-limit);
  return {
    page: {
      data: shown.map(toModelInfo),
      has_more: shown.length < rest.length,
      first_id: shown[0]?.model.id ?? null,
      last_id: shown.at(-1)?.model.id ?? null,
    },
  };
}
