import type { Taint } from "../../spec/index.ts";

export type { Taint, TaintKind, TaintSource, Trust } from "../../spec/index.ts";

/** What a model has before its eyes when only the user has spoken. */
export const untainted: Taint = { trust: "trusted", because: [] };
