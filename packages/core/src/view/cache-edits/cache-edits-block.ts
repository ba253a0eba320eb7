import type { UnknownBlock } from "../../spec/index.ts";

/** The block of a request that asks the provider to delete results from the prefix it has cached. */
export interface CacheEditsBlock extends UnknownBlock {
  readonly type: "cache_edits";
  readonly edits: readonly { readonly type: "delete"; readonly cache_reference: string }[];
}

/** Results without a reference of their own are named by their calls. */
export function cacheEditsBlock(toolUseIds: readonly string[]): CacheEditsBlock {
  const edits = toolUseIds.map((id) => ({ type: "delete", cache_reference: id }) as const);
  return { type: "cache_edits", edits };
}
