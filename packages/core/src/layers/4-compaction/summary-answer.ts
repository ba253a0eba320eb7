import type { ErrorCode, Usage } from "../../spec/index.ts";
import type { ReadSummary } from "./rules/read-summary.ts";

/** A model's summary with what it took, or why there is none. */
export type Asked =
  | (Extract<ReadSummary, { readonly ok: true }> & {
      readonly strategy: "prefix" | "plain" | "chunked";
      readonly usage?: Usage;
      /** How much of its prompt came from the cache. */
      readonly cacheShare?: number;
    })
  | (Extract<ReadSummary, { readonly ok: false }> & { readonly code?: ErrorCode });

/** There is nobody to ask: that is no failure of a model. */
export function isNobody(asked: Asked): boolean {
  return !asked.ok && asked.code === "no-model";
}

export function nobody(): Asked {
  return { ok: false, reason: "api_error", message: "There is no model to ask.", code: "no-model" };
}
